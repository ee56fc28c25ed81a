/// A text as a QR code in a given style: what a short link looks like on a poster.
///
/// All of it is the processor's work: milliseconds as a rule, a second or two and 200 MB for a logo that means harm. It has no place
/// on an event loop.
package struct QRCode: Sendable {
    let style: QRCodeStyle
    let symbol: Symbol
    let layout: Layout
    let logo: (image: Bitmap, place: LogoPlace)?

    /// Fails if the text does not fit into a code, or the logo is neither a PNG nor a JPEG that can be read.
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

    /// The image as a file's bytes: the same for the same code, with one version of the image libraries.
    package func image() throws(QRCodeError) -> [UInt8] {
        switch style.format {
        case .svg: Array(try svg().utf8)
        case .png where logo == nil:
            try PNG.encode(raster(Ink.allCases.map { [$0.rawValue] }), width: style.width, palette: style.palette)
        case .png: try PNG.encode(bitmap)
        case .jpeg: try JPEG.encode(bitmap)
        }
    }

    /// The picture in full colour, with its logo.
    private var bitmap: Bitmap {
        var bitmap = Bitmap(width: style.width, height: style.width, rgba: raster(style.palette.map { $0.bytes + [255] }))
        if let logo {
            let scaled = logo.image.scaled(width: logo.place.width, height: logo.place.height)
            bitmap.draw(scaled, x: logo.place.x, y: logo.place.y)
        }
        return bitmap
    }

    /// The code's pixels row by row, given the bytes that stand for a pixel of each ink.
    private func raster(_ inks: [[UInt8]]) -> [UInt8] {
        func line(_ runs: [Symbol.Run]) -> [UInt8] {
            var line = [Ink](repeating: .background, count: style.width)
            for run in runs {
                for x in layout.pixels(run.columns) { line[x] = run.ink }
            }
            return line.flatMap { inks[Int($0.rawValue)] }
        }
        let blank = line([])
        var raster: [UInt8] = []
        raster.reserveCapacity(blank.count * style.width)
        for _ in 0..<layout.origin { raster += blank }
        for row in 0..<symbol.side {
            let line = line(symbol.runs(in: row))
            for _ in layout.pixels(row..<row + 1) { raster += line }
        }
        while raster.count < blank.count * style.width { raster += blank }
        return raster
    }
}
