import LindenKernel

/// A request of `POST /v1/qr-code` (SDKs) or `/v2/qr-code` (Branch's public API): a link to create and the style of its code. The response
/// is the image itself.
package struct QRCodeRequest: Sendable {
    package let link: CreateLinkRequest
    package let settings: QRCodeSettings

    /// Accepts settings as an object or, from the Web SDK, as JSON text. Fails with `invalid` for anything else.
    package init(_ body: RequestFields) throws {
        link = CreateLinkRequest(body)
        switch body["qr_code_settings"] {
        case nil, .null, "": settings = QRCodeSettings(RequestFields([:]))
        case .object(let members): settings = QRCodeSettings(RequestFields(members))
        case let other?:
            guard let object = other.openedObject else {
                throw Failure.invalid("qr_code_settings must be an object.")
            }
            settings = QRCodeSettings(RequestFields(object))
        }
    }
}
