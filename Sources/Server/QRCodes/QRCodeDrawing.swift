#if QR
    import QRCodes
#endif

/// QR codes embedded in pages.
enum QRCodeDrawing {
    /// Returns an SVG; nil if the URL cannot be encoded, or if the server was built without QR codes.
    static func svg(of url: String) -> String? {
        #if QR
            guard let style = try? QRCodeStyle(margin: 0, format: .svg), let code = try? QRCode(text: url, style: style, logo: nil),
                let image = try? code.image()
            else { return nil }
            return String(decoding: image, as: UTF8.self)
        #else
            return nil
        #endif
    }
}
