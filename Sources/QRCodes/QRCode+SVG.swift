import Foundation

extension QRCode {
    /// Returns the code as an SVG drawing with one path for each colour. It consists only of generated numbers and Base64, so nothing needs
    /// escaping.
    func svg() throws(QRCodeError) -> String {
        let (width, origin, moduleSize) = (style.width, layout.origin, layout.moduleSize)
        let drawsShapes = style.hasShapes(layout)
        let rendering = drawsShapes ? "fill-rule=\"evenodd\"" : "shape-rendering=\"crispEdges\""
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(width)\" viewBox=\"0 0 \(width) \(width)\""
                + " \(rendering)>",
            "<rect width=\"\(width)\" height=\"\(width)\" fill=\"\(style.backgroundColor)\"/>",
        ]
        for (color, path) in drawsShapes ? shapes : modules {
            lines.append(
                "<path transform=\"translate(\(origin) \(origin)) scale(\(moduleSize))\" fill=\"\(color)\" d=\"\(path)\"/>")
        }
        if let (image, place) = logo {
            // An SVG may be shown at any size, so the logo is embedded with more pixels than its place has.
            let png = Data(try PNG.encode(image.fitting(512))).base64EncodedString()
            lines.append(
                "<image x=\"\(place.x)\" y=\"\(place.y)\" width=\"\(place.width)\" height=\"\(place.height)\""
                    + " href=\"data:image/png;base64,\(png)\"/>")
        }
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    /// The path of each colour, for modules that are drawn whole: its runs of modules as rectangles of height 1.
    private var modules: SVGPaths {
        var paths = SVGPaths()
        addRuns(to: &paths) { _ in true }
        return paths
    }

    /// The path of each colour, for modules or finder patterns that are drawn as shapes.
    private var shapes: SVGPaths {
        var paths = SVGPaths()
        if style.modulePattern == .standard {
            addRuns(to: &paths) { $0 == .code }
        } else {
            for row in 0..<symbol.side {
                for column in 0..<symbol.side where symbol.ink(column: column, row: row) == .code {
                    paths.add(style.modulePattern.path(column: column, row: row), style.codeColor)
                }
            }
        }
        for corner in symbol.finderCorners {
            let (ring, eye) = style.finderPattern.paths(column: corner.column, row: corner.row)
            paths.add(ring, style.finderPatternColor)
            paths.add(eye, style.finderEyeColor)
        }
        return paths
    }

    private func addRuns(to paths: inout SVGPaths, where isDrawn: (Ink) -> Bool) {
        for row in 0..<symbol.side {
            for run in symbol.runs(in: row) where isDrawn(run.ink) {
                paths.add(
                    "M\(run.columns.lowerBound) \(row)h\(run.columns.count)v1h-\(run.columns.count)z", style.color(of: run.ink))
            }
        }
    }
}

/// The path of each colour of a drawing. Parts of the same colour share a path.
private struct SVGPaths: Sequence {
    private var paths: [(color: QRCodeStyle.Color, path: String)] = []

    mutating func add(_ part: String, _ color: QRCodeStyle.Color) {
        if let index = paths.firstIndex(where: { $0.color == color }) {
            paths[index].path += part
        } else {
            paths.append((color, part))
        }
    }

    func makeIterator() -> IndexingIterator<[(color: QRCodeStyle.Color, path: String)]> { paths.makeIterator() }
}
