import QRCodes
import Testing

@Suite struct QRCodeStyleTests {
    @Test func aStyleThatSaysNothingIsBlackOnWhite() throws {
        let style = try QRCodeStyle()
        #expect(style.width == 300)
        #expect(style.margin == 1)
        #expect(style.format == .png)
        #expect([style.codeColor, style.finderPatternColor, style.finderEyeColor] == [.black, .black, .black])
        #expect(style.backgroundColor == .white)
    }

    @Test func finderPatternsHaveTheColorOfTheCodeUnlessTheyHaveTheirOwn() throws {
        let style = try QRCodeStyle(codeColor: .init("#123456"), finderEyeColor: .black)
        #expect(style.finderPatternColor == style.codeColor)
        #expect(style.finderEyeColor == .black)
    }

    @Test(arguments: [
        ("#1E90ff", "#1E90FF"), ("1e90ff", "#1E90FF"), ("#0af", "#00AAFF"), ("FFF", "#FFFFFF"), ("000000", "#000000"),
    ])
    func aColorIsWrittenAsInCSS(text: String, color: String) throws {
        #expect(try QRCodeStyle.Color(text).description == color)
    }

    @Test(arguments: [
        "", "#", "#12", "#1234", "12345", "#1234567", "red", "##123456", "#12345g", "#12 456", "0x123456", "#१२३", "#ＡＢＣ",
    ])
    func anythingElseIsNotAColor(text: String) {
        let error = #expect(throws: QRCodeError.self) { try QRCodeStyle.Color(text) }
        #expect(error?.message == "a color must be written #RRGGBB or #RGB.")
    }

    @Test(arguments: [
        ("PNG", QRCodeStyle.Format.png, "image/png"), ("png", .png, "image/png"), ("JPEG", .jpeg, "image/jpeg"),
        ("jpg", .jpeg, "image/jpeg"), ("SVG", .svg, "image/svg+xml"),
    ])
    func aFormatHasItsContentType(text: String, format: QRCodeStyle.Format, contentType: String) throws {
        #expect(try QRCodeStyle.Format(text) == format)
        #expect(format.contentType == contentType)
    }

    @Test(arguments: ["", "GIF", "image/png", " png"]) func anythingElseIsNotAFormat(text: String) {
        let error = #expect(throws: QRCodeError.self) { try QRCodeStyle.Format(text) }
        #expect(error?.message == "the image format must be PNG, JPEG or SVG.")
    }

    @Test(arguments: [Int.min, -1, 0, 299, 2001, Int.max]) func aWidthOutOfRangeIsRefused(width: Int) {
        let error = #expect(throws: QRCodeError.self) { try QRCodeStyle(width: width) }
        #expect(error?.message == "width must be 300 to 2000 pixels.")
    }

    @Test(arguments: [Int.min, -1, 21, Int.max]) func aMarginOutOfRangeIsRefused(margin: Int) {
        let error = #expect(throws: QRCodeError.self) { try QRCodeStyle(margin: margin) }
        #expect(error?.message == "margin must be 0 to 20 pixels.")
    }

    @Test func colorsWithoutContrastAreRefused() throws {
        let pale = try QRCodeStyle.Color("#eee")
        let message = "the colors of the code must differ from the background color: a contrast ratio of 1.5 at least."
        for (code, pattern, eye) in [(pale, nil, nil), (.black, pale, nil), (.black, nil, .white)]
            as [(QRCodeStyle.Color, QRCodeStyle.Color?, QRCodeStyle.Color?)]
        {
            let error = #expect(throws: QRCodeError.self) {
                try QRCodeStyle(codeColor: code, finderPatternColor: pattern, finderEyeColor: eye)
            }
            #expect(error?.message == message)
        }
    }

    @Test(arguments: [("#bbb", "#fff"), ("#fff", "#000"), ("#fc0", "#c00")])
    func allOtherColorsAreTheCustomersOwnChoice(code: String, background: String) throws {
        _ = try QRCodeStyle(codeColor: .init(code), backgroundColor: .init(background))
    }
}
