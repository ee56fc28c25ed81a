/// A text, such as a short link, as a QR code in a given style.
///
/// Drawing is CPU-bound: it takes milliseconds, and more for a hostile logo. It must not run on an event loop.
package struct QRCode: Sendable {
    let style: QRCodeStyle
    let symbol: Symbol
    let layout: Layout
    let logo: (image: Bitmap, place: LogoPlace)?

    /// Throws if the text does not fit into a code, or the logo is not a readable PNG or JPEG.
    package init(text: String, style: QRCodeStyle, logo: [UInt8]? = nil) throws(QRCodeError) {
        var symbol = try Symbol(text, correction: logo == nil ? .medium : .high)
        let layout = Layout(style, side: symbol.side)
        if let logo {
            let image = try Bitmap(logo: logo)
            let place = LogoPlace(image, in: layout)
            symbol.clear(columns: place.columns, rows: place.rows)
            self.logo = (image, place)
        } else {
            self.logo = nil
        }
        self.style = style
        self.symbol = symbol
        self.layout = layout
    }

    /// Encodes the image in the style's format. Deterministic for the same versions of the image libraries.
    package func image() throws(QRCodeError) -> [UInt8] {
        switch style.format {
        case .svg: Array(try svg().utf8)
        case .png where logo == nil:
            try PNG.encode(raster(Ink.allCases.map { [$0.rawValue] }), width: style.width, palette: style.palette)
        case .png: try PNG.encode(bitmap)
        case .jpeg: try JPEG.encode(bitmap)
        }
    }

    /// The picture in RGBA, with its logo.
    private var bitmap: Bitmap {
        var bitmap = Bitmap(width: style.width, height: style.width, rgba: raster(style.palette.map { $0.bytes + [255] }))
        if let logo {
            let scaled = logo.image.scaled(width: logo.place.width, height: logo.place.height)
            bitmap.draw(scaled, x: logo.place.x, y: logo.place.y)
        }
        return bitmap
    }
}
