import Foundation
import FoundationXML
import QRCodes
import Testing

/// An SVG file as an XML parser sees it.
struct Drawing {
    struct Element {
        let name: String
        let attributes: [String: String]

        func number(_ attribute: String) throws -> Int {
            try #require(Int(attributes[attribute] ?? ""))
        }
    }

    let elements: [Element]

    init(_ file: [UInt8]) throws {
        let collector = Collector()
        let parser = XMLParser(data: Data(file))
        parser.delegate = collector
        try #require(parser.parse())
        elements = collector.elements
    }

    func elements(_ name: String) -> [Element] {
        elements.filter { $0.name == name }
    }

    /// Its rectangles and paths as pixels; what lies in `image` elements is left out.
    func picture() throws -> Picture {
        let root = try #require(elements.first)
        let (width, height) = (try root.number("width"), try root.number("height"))
        var picture = Picture(width: width, height: height) { _, _ in [0, 0, 0, 0] }
        for rectangle in elements("rect") {
            let color = try QRCodeStyle.Color(#require(rectangle.attributes["fill"]))
            picture.fill(color, columns: 0..<(try rectangle.number("width")), rows: 0..<(try rectangle.number("height")))
        }
        for path in elements("path") {
            let color = try QRCodeStyle.Color(#require(path.attributes["fill"]))
            let transform = try #require(
                path.attributes["transform"]?.wholeMatch(of: /translate\((\d+) (\d+)\) scale\((\d+)\)/)?.output)
            let (left, top, scale) = (Int(transform.1)!, Int(transform.2)!, Int(transform.3)!)
            for run in try #require(path.attributes["d"]).split(separator: "z") {
                let numbers = try #require(run.wholeMatch(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)/)?.output)
                let (column, row, count) = (Int(numbers.1)!, Int(numbers.2)!, Int(numbers.3)!)
                try #require(numbers.3 == numbers.4)
                picture.fill(
                    color, columns: left + column * scale..<left + (column + count) * scale,
                    rows: top + row * scale..<top + (row + 1) * scale)
            }
        }
        return picture
    }

    private final class Collector: NSObject, XMLParserDelegate {
        var elements: [Element] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            elements.append(Element(name: name, attributes: attributes))
        }
    }
}
