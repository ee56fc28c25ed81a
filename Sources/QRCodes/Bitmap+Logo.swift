extension Bitmap {
    /// What a logo may be at most. It comes from anywhere, and a small file can unfold into gigabytes.
    enum LogoLimits {
        static let bytes = 1 << 20
        static let side = 4096
    }

    /// Reads a logo, a PNG or a JPEG: its first bytes say which.
    init(logo file: [UInt8]) throws(QRCodeError) {
        guard file.count <= LogoLimits.bytes else { throw .logoTooLarge }
        if file.starts(with: PNG.signature) {
            self = try PNG.decode(file)
        } else if file.starts(with: JPEG.signature) {
            self = try JPEG.decode(file)
        } else {
            throw .unreadableLogo
        }
    }

    /// Fails if there is no picture of this size, or it is too much to unfold.
    static func checkLogo(width: Int, height: Int) throws(QRCodeError) {
        guard width > 0, height > 0 else { throw .unreadableLogo }
        guard max(width, height) <= LogoLimits.side else { throw .logoTooLarge }
    }
}

extension QRCodeError {
    static let unreadableLogo = QRCodeError("the logo must be a PNG or a JPEG image in RGB or grey, and complete.")
    static let logoTooLarge = QRCodeError(
        "the logo may have at most \(Bitmap.LogoLimits.bytes >> 20) MB and \(Bitmap.LogoLimits.side) pixels on a side.")
}
