extension Bitmap {
    /// Limits of a logo file, in bytes, and of its picture, in pixels on a side. Logos are untrusted, and a small file can decompress to
    /// gigabytes; within the limits a picture takes 4 MB. A logo covers at most 22 % of a code of 2,000 pixels.
    enum LogoLimits {
        static let bytes = 1 << 20
        static let side = 1024
    }

    /// Decodes a logo, PNG or JPEG by the signature in its first bytes.
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

    /// Throws if a dimension is not positive or exceeds ``LogoLimits/side``; called before the pixels are decompressed.
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
