import LindenKernel

/// A request of `POST /v1/qr-code` (SDKs) or `/v2/qr-code` (Branch's public API): a link to create and the style of its code. The response
/// is the image itself.
package struct QRCodeRequest: Sendable {
    package let link: CreateLinkRequest
    private let settings: RequestFields

    /// Accepts settings as an object or, from the Web SDK, as JSON text. Fails with `invalid` for anything else.
    package init(_ body: RequestFields) throws {
        link = CreateLinkRequest(body)
        switch body["qr_code_settings"] {
        case nil, .null, "": settings = RequestFields([:])
        case .object(let members): settings = RequestFields(members)
        case let other?:
            guard let object = other.string.flatMap({ try? JSON.parse($0) })?.object else {
                throw Failure.invalid("qr_code_settings must be an object.")
            }
            settings = RequestFields(object)
        }
    }

    /// Returns the width and height in pixels; nil if absent.
    package func width() throws -> Int? { try number("width") }
    /// Returns the empty margin in pixels; nil if absent.
    package func margin() throws -> Int? { try number("margin") }

    /// Returns a setting with a text value, such as a format or a colour; nil if absent.
    package func text(_ name: String) -> String? { settings.text(name) }

    /// The URL of the image to place in the centre of the code.
    package var logoURL: String? { settings.text("center_logo_url") }

    private func number(_ name: String) throws -> Int? {
        guard let text = settings.text(name) else { return nil }
        guard let number = Double(text), number.rounded() == number, abs(number) < 1e6 else {
            throw Failure.invalid("\(name) must be a whole number of pixels.")
        }
        return Int(number)
    }
}
