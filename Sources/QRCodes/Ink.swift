/// The role of a module or pixel, which determines its colour. The raw value is its index in the palette.
enum Ink: UInt8, CaseIterable {
    case background
    case code
    case finderPattern
    case finderEye
}

extension QRCodeStyle {
    func color(of ink: Ink) -> Color {
        switch ink {
        case .background: backgroundColor
        case .code: codeColor
        case .finderPattern: finderPatternColor
        case .finderEye: finderEyeColor
        }
    }

    var palette: [Color] { Ink.allCases.map(color) }
}
