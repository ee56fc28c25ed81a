extension QRCodeStyle {
    /// An image format of QR codes.
    package enum Format: Sendable, CaseIterable {
        case png
        case jpeg
        case svg

        /// Parses Branch's names, `PNG` and `JPEG` (or `JPG`), and Linden's `SVG`, case-insensitively.
        package init(_ text: String) throws(QRCodeError) {
            switch text.lowercased() {
            case "png": self = .png
            case "jpeg", "jpg": self = .jpeg
            case "svg": self = .svg
            default: throw .notAFormat
            }
        }

        package var contentType: String {
            switch self {
            case .png: "image/png"
            case .jpeg: "image/jpeg"
            case .svg: "image/svg+xml"
            }
        }
    }
}

extension QRCodeError {
    static let notAFormat = QRCodeError("the image format must be PNG, JPEG or SVG.")
}
