extension QRCode {
    /// Returns the code's pixels row by row, with `inks[i]` as the bytes of a pixel of the ink with raw value `i`.
    func raster(_ inks: [[UInt8]]) -> [UInt8] {
        let drawsShapes = style.hasShapes(layout)
        let mask = drawsShapes ? style.modulePattern.mask(size: layout.moduleSize) : []
        let blank = bytes(of: [Ink](repeating: .background, count: style.width), inks)
        var raster: [UInt8] = []
        raster.reserveCapacity(blank.count * style.width)
        for _ in 0..<layout.origin { raster += blank }
        for row in 0..<symbol.side {
            if drawsShapes {
                let columns = (0..<symbol.side).filter { symbol.ink(column: $0, row: row) == .code }
                for line in 0..<layout.moduleSize { raster += bytes(of: shapes(columns, row, line, mask), inks) }
            } else {
                let line = bytes(of: modules(row), inks)
                for _ in 0..<layout.moduleSize { raster += line }
            }
        }
        while raster.count < blank.count * style.width { raster += blank }
        return raster
    }

    private func bytes(of line: [Ink], _ inks: [[UInt8]]) -> [UInt8] { line.flatMap { inks[Int($0.rawValue)] } }

    /// The pixels of a line through a row of modules that are drawn whole.
    private func modules(_ row: Int) -> [Ink] {
        var line = [Ink](repeating: .background, count: style.width)
        for run in symbol.runs(in: row) {
            for x in layout.pixels(run.columns) { line[x] = run.ink }
        }
        return line
    }

    /// The pixels of one line of a row of modules that are drawn as shapes.
    ///
    /// - Parameter columns: those with a dark module of the code proper.
    private func shapes(_ columns: [Int], _ row: Int, _ line: Int, _ mask: [Bool]) -> [Ink] {
        let size = layout.moduleSize
        var pixels = [Ink](repeating: .background, count: style.width)
        for column in columns {
            for x in 0..<size where mask[line * size + x] { pixels[layout.origin + column * size + x] = .code }
        }
        for corner in symbol.finderCorners where (corner.row..<corner.row + QRCodeStyle.FinderPattern.side).contains(row) {
            let y = Double(row - corner.row) + (Double(line) + 0.5) / Double(size)
            for x in 0..<QRCodeStyle.FinderPattern.side * size {
                pixels[layout.origin + corner.column * size + x] = style.finderPattern.ink(
                    x: (Double(x) + 0.5) / Double(size), y: y)
            }
        }
        return pixels
    }
}

extension QRCodeStyle {
    /// Whether modules or finder patterns are drawn as other shapes than squares that touch.
    func hasShapes(_ layout: Layout) -> Bool {
        (modulePattern != .standard || finderPattern != .square) && layout.moduleSize >= ModulePattern.leastModuleSize
    }
}
