import Foundation
import QRCodes
import Testing

@Suite struct LogoTests {
    static let refusal = "the logo must be a PNG or a JPEG image in RGB or grey, and complete."
    static let limits = "the logo may have at most 1 MB and 1024 pixels on a side."

    @Test func aLogoIsInTheMiddleOfAGap() throws {
        // 29 modules of 10 pixels: the logo has 5 modules, the gap 7.
        let blue = Picture.filled([0, 0, 200, 255], width: 13, height: 13)
        let picture = try Picture(png: image(style(margin: 0), of: "https://go.example/1", logo: blue.png))
        let color = QRCodeStyle.Color(red: 0, green: 0, blue: 200)
        for (x, expected) in [(115, .white), (124, .white), (125, color), (150, color), (174, color), (175, .white), (184, .white)]
        {
            #expect(picture.color(x: x, y: 150) == expected)
            #expect(picture.color(x: 150, y: x) == expected)
        }
    }

    @Test func aLogoKeepsItsShape() throws {
        let blue = Picture.filled([0, 0, 200, 255], width: 100, height: 40)
        let picture = try Picture(png: image(style(margin: 0), of: "https://go.example/1", logo: blue.png))
        let color = QRCodeStyle.Color(red: 0, green: 0, blue: 200)
        #expect(picture.color(x: 125, y: 150) == color)
        #expect(picture.color(x: 150, y: 140) == color)
        #expect(picture.color(x: 150, y: 139) == .white)
        #expect(picture.color(x: 150, y: 160) == .white)
    }

    @Test func aLogoIsTheAverageOfItsPixels() throws {
        // 2 × 2 pixels of the logo come to one of the image. Where one of two is transparent, half of the background shows.
        let stripes = Picture(width: 100, height: 100) { x, _ in
            x < 50 ? (x % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 255, 255]) : (x % 2 == 0 ? [0, 0, 0, 255] : [9, 9, 9, 0])
        }
        let picture = try Picture(png: image(style(margin: 0), of: "https://go.example/1", logo: stripes.png))
        #expect(picture.color(x: 130, y: 150) == QRCodeStyle.Color(red: 128, green: 0, blue: 128))
        #expect(picture.color(x: 170, y: 150) == QRCodeStyle.Color(red: 127, green: 127, blue: 127))
    }

    @Test func aDrawingCarriesItsLogo() throws {
        let drawing = try Drawing(
            image(style(margin: 0, format: .svg), of: "https://go.example/1", logo: Picture.disc(width: 80, height: 40).jpeg))
        let element = try #require(drawing.elements("image").first)
        #expect(
            try ["x", "y", "width", "height"].map { try element.number($0) } == [125, 137, 50, 25])
        let address = try #require(element.attributes["href"])
        let png = try #require(Data(base64Encoded: String(address.trimmingPrefix("data:image/png;base64,"))))
        #expect(ImageSize(png: Array(png)) == ImageSize(width: 80, height: 40))
        // The modules of the gap are missing, as in the picture.
        #expect(try drawing.picture().color(x: 150, y: 120) == .white)
    }

    @Test func aLargeLogoIsMadeSmallerInADrawing() throws {
        let logo = Picture.filled([9, 9, 9, 128], width: 1024, height: 256)
        let element = try #require(try Drawing(image(style(format: .svg), logo: logo.png)).elements("image").first)
        let address = try #require(element.attributes["href"])
        let png = try #require(Data(base64Encoded: String(address.trimmingPrefix("data:image/png;base64,"))))
        #expect(try Picture(png: Array(png)).rgba.prefix(4) == [9, 9, 9, 128])
        #expect(ImageSize(png: Array(png)) == ImageSize(width: 512, height: 128))
    }

    @Test(arguments: [(1, 1), (1024, 1), (1, 1024), (3, 2)]) func aLogoOfAnyShapeIsDrawn(width: Int, height: Int) throws {
        let logo = Picture.filled([200, 0, 0, 255], width: width, height: height)
        for format in QRCodeStyle.Format.allCases {
            for logo in [logo.png, logo.jpeg] { _ = try image(style(format: format), logo: logo) }
        }
    }

    @Test(arguments: [
        [], Array("GIF89a".utf8), Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8),
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
        [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 0xFF] + Array(repeating: 0xFF, count: 10_000),
    ])
    func whatIsNotAnImageIsRefused(logo: [UInt8]) throws {
        let error = try refusal(logo)
        #expect(error?.message == Self.refusal)
    }

    @Test(arguments: [Picture.disc().png, Picture.disc().jpeg]) func anIncompleteImageIsRefused(logo: [UInt8]) throws {
        // A PNG's picture is complete without the last chunk, which has 12 bytes.
        for length in 0..<logo.count - 16 {
            let error = try refusal(Array(logo.prefix(length)))
            #expect(error?.message == Self.refusal)
        }
    }

    @Test(arguments: [Picture.disc().png, Picture.disc().jpeg]) func aDamagedImageDoesNoHarm(logo: [UInt8]) throws {
        for index in logo.indices {
            for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] where byte != logo[index] {
                var damaged = logo
                damaged[index] = byte
                _ = try? QRCode(text: "x", style: QRCodeStyle(), logo: damaged)
            }
        }
    }

    @Test func anInterlacedImageHasColoursOf8Bits() throws {
        let allowed = [
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAAHncGNIAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC",
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABEAIAAADA54+dAAAAC0lEQVR4nGP4DwYAFPIF+6QNfF4AAAAASUVORK5CYII=",
        ]
        for logo in allowed { _ = try image(style(), logo: read(logo)) }
        let interlaced = try read("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABEAIAAAG34L8LAAAAC0lEQVR4nGP4DwYAFPIF+6QNfF4AAAAASUVORK5CYII=")
        #expect(try refusal(interlaced)?.message == Self.refusal)
    }

    @Test func anImageThatSaysItIsHugeIsRefused() throws {
        let huge: [UInt8] = [0, 1, 0, 0, 0, 1, 0, 0, 8, 6, 0, 0, 0]
        var png = Array(Picture.disc().png)
        png.replaceSubrange(16..<33, with: huge + checksum(Array("IHDR".utf8) + huge))
        #expect(try refusal(png)?.message == Self.limits)

        var jpeg = Picture.disc().jpeg
        let frame = try #require(jpeg.indices.first { jpeg[$0...].starts(with: [0xFF, 0xC0]) })
        jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0, 0xFF, 0])
        #expect(try refusal(jpeg)?.message == Self.limits)

        for (width, height) in [(1025, 1), (1, 1025)] {
            let logo = Picture.filled([0, 0, 0, 255], width: width, height: height)
            #expect(try refusal(logo.png)?.message == Self.limits)
            #expect(try refusal(logo.jpeg)?.message == Self.limits)
        }
        #expect(try refusal(Picture.disc().png + Array(repeating: 0, count: 1 << 20))?.message == Self.limits)
    }

    @Test func whatAnImageSaysBesidesItsPictureIsNotRead() throws {
        // A text chunk that breaks off; libpng would complain.
        var logo = Picture.disc().png
        let before = try image(style(), logo: logo)
        let text = Array("zTXt".utf8) + Array("Comment\0\0".utf8) + [1, 2, 3]
        logo.insert(contentsOf: [0, 0, 0, UInt8(text.count - 4)] + text + checksum(text), at: 33)
        #expect(try image(style(), logo: logo) == before)
    }

    private func refusal(_ logo: [UInt8]) throws -> QRCodeError? {
        let style = try QRCodeStyle()
        return #expect(throws: QRCodeError.self) { try QRCode(text: "x", style: style, logo: logo) }
    }

    private func read(_ logo: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: logo))) }

    /// A PNG chunk's CRC-32.
    private func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return withUnsafeBytes(of: (~sum).bigEndian, Array.init)
    }
}
