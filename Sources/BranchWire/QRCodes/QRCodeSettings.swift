import LindenKernel

/// The style of a QR code as callers describe it, under Branch's names.
package struct QRCodeSettings: Sendable {
    /// The names of all settings.
    package static let names = [
        "image_format", "width", "margin", "code_color", "background_color", "finder_pattern_color", "finder_eye_color",
        "code_pattern", "finder_pattern", "center_logo_url",
    ]

    private let fields: RequestFields

    package init(_ fields: RequestFields) {
        self.fields = fields
    }

    /// Returns the width and height in pixels; nil if absent.
    package func width() throws -> Int? { try number("width", "a whole number of pixels") }
    /// Returns the empty margin in pixels; nil if absent.
    package func margin() throws -> Int? { try number("margin", "a whole number of pixels") }
    /// Returns Branch's number of the shape of the modules; nil if absent.
    package func codePattern() throws -> Int? { try number("code_pattern", "a whole number") }
    /// Returns Branch's number of the shape of the finder patterns; nil if absent.
    package func finderPattern() throws -> Int? { try number("finder_pattern", "a whole number") }

    /// Returns a setting with a text value, such as a format or a colour; nil if absent.
    package func text(_ name: String) -> String? { fields.text(name) }

    /// The URL of the image to place in the centre of the code.
    package var logoURL: String? { fields.text("center_logo_url") }

    private func number(_ name: String, _ kind: String) throws -> Int? {
        guard let text = fields.text(name) else { return nil }
        guard let number = Double(text), number.rounded() == number, abs(number) < 1e6 else {
            throw Failure.invalid("\(name) must be \(kind).")
        }
        return Int(number)
    }
}
