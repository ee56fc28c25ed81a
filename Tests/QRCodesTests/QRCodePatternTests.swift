import LindenTesting
import QRCodes
import Testing

/// The shapes of modules and finder patterns.
@Suite struct QRCodePatternTests {
    @Test(
        .enabled(if: Scanner.isInstalled), arguments: QRCodeStyle.ModulePattern.allCases, QRCodeStyle.FinderPattern.allCases)
    func aScannerReadsEveryPattern(modules: QRCodeStyle.ModulePattern, finder: QRCodeStyle.FinderPattern) throws {
        for width in [300, 777] {
            let style = try QRCodeStyle(width: width, margin: 20, modulePattern: modules, finderPattern: finder)
            #expect(try Scanner.read(QRCode(text: posterText, style: style).image()) == posterText, "\(width) pixels")
        }
    }

    @Test(.enabled(if: Scanner.isInstalled), arguments: QRCodeStyle.ModulePattern.allCases)
    func modulesOfFewPixelsAreDrawnWholeSoThatAScannerReadsThem(pattern: QRCodeStyle.ModulePattern) throws {
        let style = try QRCodeStyle(width: 300, modulePattern: pattern)
        #expect(
            try QRCode(text: QRCodeTests.longText, style: style).image()
                == QRCode(text: QRCodeTests.longText, style: QRCodeStyle(width: 300)).image())
    }

    @Test func aModuleHasItsShapeInAPicture() throws {
        // The timing pattern begins with a module in column 8 of row 6; a module has 20 pixels.
        let corners = { (pattern: QRCodeStyle.ModulePattern) in
            let style = try QRCodeStyle(width: 900, margin: 0, modulePattern: pattern)
            let picture = try Picture(png: QRCode(text: String(repeating: "x", count: 122), style: style).image())
            return [(160, 120), (179, 120), (160, 139), (179, 139), (170, 122), (170, 130)].map { x, y in
                picture.color(x: x, y: y) == .black
            }
        }
        // The four corners, a point below the middle of the upper side, and the middle.
        #expect(try corners(.standard) == [true, true, true, true, true, true])
        #expect(try corners(.squares) == [false, false, false, false, true, true])
        #expect(try corners(.circles) == [false, false, false, false, true, true])
        #expect(try corners(.triangles) == [false, false, true, true, true, true])
        #expect(try corners(.diamonds) == [false, false, false, false, true, true])
        #expect(try corners(.hexagons) == [false, false, false, false, true, true])
        #expect(try corners(.octagons) == [false, false, false, false, true, true])
    }

    @Test func aDrawingHasTheShapesAsPathsInTheirColors() throws {
        let style = try QRCodeStyle(
            width: 900, margin: 0, format: .svg, finderPatternColor: .init("#900"), finderEyeColor: .init("#009"),
            modulePattern: .diamonds,
            finderPattern: .circle)
        let drawing = try Drawing(QRCode(text: String(repeating: "x", count: 122), style: style).image())
        let paths = drawing.elements("path").map { $0.attributes["d"] ?? "" }
        #expect(paths.count == 3)
        #expect(paths[0].contains("M8.5 6L9 6.5L8.5 7L8 6.5z"))
        // A ring and its hole, and an eye, in each of three corners.
        #expect(paths[1].hasPrefix("M2.8 0h1.4a2.8 2.8 0 0 1 2.8 2.8v1.4a"))
        #expect(paths[1].count { $0 == "z" } == 6 && paths[2].count { $0 == "z" } == 3)
    }

    @Test func theFinderPatternsAloneCanBeRound() throws {
        let style = try QRCodeStyle(width: 900, margin: 0, finderPattern: .circle)
        let picture = try Picture(png: QRCode(text: String(repeating: "x", count: 122), style: style).image())
        #expect(picture.color(x: 0, y: 0) == .white)
        #expect(picture.color(x: 70, y: 0) == .black)
        #expect(picture.color(x: 70, y: 70) == .black)
        #expect(picture.color(x: 160, y: 120) == .black)
    }
}
