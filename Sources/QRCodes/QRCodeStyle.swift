/// The appearance of a QR code: size, colours, shapes and image format.
package struct QRCodeStyle: Sendable, Equatable {
    /// Pixels on a side of the image.
    package let width: Int
    /// The minimum margin around the code, in pixels.
    package let margin: Int
    package let format: Format
    package let codeColor: Color
    package let backgroundColor: Color
    /// The colour of the rings of the three finder patterns, the large squares by which a reader locates the code.
    package let finderPatternColor: Color
    /// The colour of the squares inside those rings.
    package let finderEyeColor: Color
    package let modulePattern: ModulePattern
    package let finderPattern: FinderPattern

    /// The widths and margins that Branch allows, and a margin of zero. Even the largest code, 177 modules on a side, has a pixel for each
    /// module in the narrowest image with the widest margin.
    package static let widths = 300...2000
    package static let margins = 0...20
    /// The minimum contrast ratio (WCAG) of each colour to the background. Below it neither a camera nor a person can read the code; any
    /// other choice of colours is accepted.
    package static let leastContrast = 1.5

    /// Throws if a number is out of range, or a colour has too little contrast to the background.
    package init(
        width: Int = 300, margin: Int = 1, format: Format = .png, codeColor: Color = .black, backgroundColor: Color = .white,
        finderPatternColor: Color? = nil, finderEyeColor: Color? = nil, modulePattern: ModulePattern = .standard,
        finderPattern: FinderPattern = .square
    ) throws(QRCodeError) {
        self.width = width
        self.margin = margin
        self.format = format
        self.codeColor = codeColor
        self.backgroundColor = backgroundColor
        self.finderPatternColor = finderPatternColor ?? codeColor
        self.finderEyeColor = finderEyeColor ?? codeColor
        self.modulePattern = modulePattern
        self.finderPattern = finderPattern
        guard Self.widths.contains(width) else { throw .range("width", Self.widths) }
        guard Self.margins.contains(margin) else { throw .range("margin", Self.margins) }
        let colors = [codeColor, self.finderPatternColor, self.finderEyeColor]
        guard colors.allSatisfy({ $0.contrast(to: backgroundColor) >= Self.leastContrast }) else { throw .lowContrast }
    }
}

extension QRCodeError {
    static func range(_ name: String, _ range: ClosedRange<Int>) -> QRCodeError {
        QRCodeError("\(name) must be \(range.lowerBound) to \(range.upperBound) pixels.")
    }

    static let lowContrast = QRCodeError(
        "the colors of the code must differ from the background color: a contrast ratio of \(QRCodeStyle.leastContrast) at least.")
}
