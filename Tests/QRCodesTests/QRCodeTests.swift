import LindenTesting
import QRCodes
import Testing

@Suite struct QRCodeTests {
    static let longText = "https://go.example.com/" + String(repeating: "a-long-path/", count: 30)

    @Test(arguments: [300, 301, 777, 2000]) func anImageIsExactlyAsWideAsAskedFor(width: Int) throws {
        let size = ImageSize(width: width, height: width)
        #expect(ImageSize(png: try image(style(width: width))) == size)
        #expect(ImageSize(png: try image(style(width: width), logo: Picture.disc().png)) == size)
        #expect(ImageSize(jpeg: try image(style(width: width, format: .jpeg))) == size)
        let svg = try #require(Drawing(image(style(width: width, format: .svg))).elements.first)
        #expect(svg.attributes["width"] == "\(width)")
        #expect(svg.attributes["height"] == "\(width)")
        #expect(svg.attributes["viewBox"] == "0 0 \(width) \(width)")
    }

    @Test(.enabled(if: Scanner.isInstalled), arguments: [300, 301, 777, 2000], [QRCodeStyle.Format.png, .jpeg])
    func aScannerReadsTheText(width: Int, format: QRCodeStyle.Format) throws {
        #expect(try Scanner.read(image(style(width: width, format: format))) == posterText)
    }

    @Test(.enabled(if: Scanner.isInstalled), arguments: [0, 1, 20])
    func aScannerReadsTheTextWithAnyMargin(margin: Int) throws {
        #expect(try Scanner.read(image(style(margin: margin))) == posterText)
    }

    @Test(
        .enabled(if: Scanner.isInstalled),
        arguments: ["x", "你好,世界 🌳", "grüße aus köln", longText, String(repeating: "x", count: 1273)])
    func aScannerReadsAnyText(text: String) throws {
        for logo in [nil, Picture.disc().png] {
            #expect(try Scanner.read(image(style(width: 777), of: text, logo: logo)) == text)
        }
    }

    @Test(.enabled(if: Scanner.isInstalled), arguments: [QRCodeStyle.Format.png, .jpeg])
    func aScannerReadsColors(format: QRCodeStyle.Format) throws {
        let style = try QRCodeStyle(
            format: format, codeColor: .init("#004d40"), backgroundColor: .init("#ffecb3"),
            finderPatternColor: .init("#b71c1c"), finderEyeColor: .init("#1a237e"))
        #expect(try Scanner.read(image(style)) == posterText)
        #expect(try Scanner.read(image(style, logo: Picture.disc().png)) == posterText)
    }

    @Test(.enabled(if: Scanner.isInstalled), arguments: [300, 301, 777, 2000], [QRCodeStyle.Format.png, .jpeg])
    func aScannerReadsTheTextAroundALogo(width: Int, format: QRCodeStyle.Format) throws {
        #expect(try Scanner.read(image(style(width: width, format: format), logo: Picture.disc().png)) == posterText)
    }

    @Test(
        .enabled(if: Scanner.isInstalled),
        arguments: [
            Picture.filled([0, 0, 0, 255], width: 50, height: 50), .filled([0, 60, 160, 255], width: 300, height: 20),
            .filled([255, 255, 255, 255], width: 10, height: 500), .filled([0, 0, 0, 0], width: 1, height: 1),
        ])
    func aScannerReadsTheTextAroundAnyLogo(logo: Picture) throws {
        for logo in [logo.png, logo.jpeg] {
            #expect(try Scanner.read(image(style(), logo: logo)) == posterText)
        }
    }

    @Test func eachPartHasItsColor() throws {
        let style = try QRCodeStyle(
            width: 450, margin: 0, codeColor: .init("#111"), backgroundColor: .init("#ffe"),
            finderPatternColor: .init("#900"), finderEyeColor: .init("#009"))
        // A text of 122 bytes has 45 modules.
        let picture = try Picture(png: image(style, of: String(repeating: "x", count: 122)))
        for (column, row) in [(0, 0), (38, 0), (0, 38)] {
            #expect(picture.color(x: column * 10, y: row * 10) == style.finderPatternColor)
            #expect(picture.color(x: (column + 6) * 10 + 9, y: (row + 6) * 10 + 9) == style.finderPatternColor)
            #expect(picture.color(x: (column + 1) * 10, y: (row + 1) * 10) == style.backgroundColor)
            #expect(picture.color(x: (column + 2) * 10, y: (row + 2) * 10) == style.finderEyeColor)
            #expect(picture.color(x: (column + 4) * 10 + 9, y: (row + 4) * 10 + 9) == style.finderEyeColor)
        }
        // The timing pattern is a part of the code proper.
        #expect(picture.color(x: 80, y: 60) == style.codeColor)
        #expect(picture.color(x: 90, y: 60) == style.backgroundColor)
    }

    @Test func aCodeIsInTheMiddle() throws {
        // 37 modules of 8 pixels leave 4 of 300.
        let picture = try Picture(png: image(style(margin: 2), of: String(repeating: "x", count: 84)))
        #expect(picture.color(x: 1, y: 150) == .white)
        #expect(picture.color(x: 2, y: 2) == .black)
        #expect(picture.color(x: 297, y: 2) == .black)
        #expect(picture.color(x: 298, y: 2) == .white)
    }

    @Test(arguments: [300, 777], [0, 20]) func aDrawingIsTheSameAsAPicture(width: Int, margin: Int) throws {
        func image(_ format: QRCodeStyle.Format) throws -> [UInt8] {
            let style = try QRCodeStyle(
                width: width, margin: margin, format: format, codeColor: .init("#123456"), backgroundColor: .init("#fed"),
                finderPatternColor: .init("#900"))
            return try QRCode(text: posterText, style: style).image()
        }
        #expect(try Drawing(image(.svg)).picture().rgba == Picture(png: image(.png)).rgba)
    }

    @Test func aDrawingHasAPathForEachColor() throws {
        let plain = try Drawing(image(style(format: .svg)))
        #expect(plain.elements.map(\.name) == ["svg", "rect", "path"])
        #expect(plain.elements[0].attributes["shape-rendering"] == "crispEdges")
        let colored = try QRCodeStyle(format: .svg, finderPatternColor: .init("#900"), finderEyeColor: .init("#009"))
        #expect(
            try Drawing(image(colored)).elements("path").compactMap { $0.attributes["fill"] } == ["#990000", "#000000", "#000099"])
    }

    @Test func theSameCodeHasTheSameBytes() async throws {
        for format in QRCodeStyle.Format.allCases {
            let style = try style(format: format)
            let first = try image(style, logo: Picture.disc().png)
            // The libraries are called by many threads at once.
            try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<20 { group.addTask { try image(style, logo: Picture.disc().png) } }
                for try await again in group { #expect(again == first) }
            }
        }
    }

    @Test(arguments: [(nil, 2331), (Picture.disc().png, 1273)]) func aTextThatIsTooLongIsRefused(logo: [UInt8]?, most: Int) throws {
        let style = try style()
        // A text that is not plain ASCII has a mark that takes a byte.
        for (character, most) in [("x", most), ("é", most - 1)] {
            let longest = String(repeating: character, count: most / character.utf8.count)
            _ = try image(style, of: longest, logo: logo)
            let error = #expect(throws: QRCodeError.self) { try image(style, of: longest + character, logo: logo) }
            #expect(error?.message == "the text of the code must have 1 to \(most) bytes.")
        }
        #expect(throws: QRCodeError.self) { try image(style, of: "", logo: logo) }
    }
}
