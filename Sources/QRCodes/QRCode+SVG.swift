import Foundation

extension QRCode {
    /// Returns the code as an SVG drawing with one path for each colour. It consists only of generated numbers and Base64, so nothing needs
    /// escaping.
    func svg() throws(QRCodeError) -> String {
        let (width, origin, moduleSize) = (style.width, layout.origin, layout.moduleSize)
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(width)\" viewBox=\"0 0 \(width) \(width)\""
                + " shape-rendering=\"crispEdges\">",
            "<rect width=\"\(width)\" height=\"\(width)\" fill=\"\(style.backgroundColor)\"/>",
        ]
        for (color, path) in paths {
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

    /// The path of each colour: its runs of modules as rectangles of height 1. Inks of the same colour share a path.
    private var paths: [(color: QRCodeStyle.Color, path: String)] {
        var paths: [(color: QRCodeStyle.Color, path: String)] = []
        for row in 0..<symbol.side {
            for run in symbol.runs(in: row) {
                let color = style.color(of: run.ink)
                let rectangle = "M\(run.columns.lowerBound) \(row)h\(run.columns.count)v1h-\(run.columns.count)z"
                if let index = paths.firstIndex(where: { $0.color == color }) {
                    paths[index].path += rectangle
                } else {
                    paths.append((color, rectangle))
                }
            }
        }
        return paths
    }
}
