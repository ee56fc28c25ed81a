import Linden

/// `POST /v1/qr-code` (SDKs) and `/v2/qr-code` (Branch's public API): a link to be made and how its code should look. The answer is the
/// image itself.
package struct QRCodeRequest: Sendable {
    package let link: CreateLinkRequest
    private let settings: RequestFields

    /// The settings are an object or, from the Web SDK, its JSON text. Fails with `invalid` for anything else.
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

    /// Pixels across and down; nil where nothing is said.
    package func width() throws -> Int? { try number("width") }
    /// Pixels of empty margin.
    package func margin() throws -> Int? { try number("margin") }

    /// A setting that is a word or a colour.
    package func text(_ name: String) -> String? { settings.text(name) }

    /// What lies in the middle of the code, to be fetched.
    package var logoURL: String? { settings.text("center_logo_url") }

    private func number(_ name: String) throws -> Int? {
        guard let text = settings.text(name) else { return nil }
        guard let number = Double(text), number.rounded() == number, abs(number) < 1e6 else {
            throw Failure.invalid("\(name) must be a whole number of pixels.")
        }
        return Int(number)
    }
}
