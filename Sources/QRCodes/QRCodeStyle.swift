/// How a QR code looks: its size, its colours and the kind of image.
package struct QRCodeStyle: Sendable, Equatable {
    /// Pixels, across and down.
    package let width: Int
    /// Pixels around the code that are left empty at least.
    package let margin: Int
    package let format: Format
    package let codeColor: Color
    package let backgroundColor: Color
    /// The rings of the three large squares by which a reader finds the code.
    package let finderPatternColor: Color
    /// What is inside of those rings.
    package let finderEyeColor: Color

    /// The widths and margins that Branch allows, and no margin at all. Even the largest code, 177 modules across, has a pixel for
    /// each module in the narrowest image with the widest margin.
    package static let widths = 300...2000
    package static let margins = 0...20
    /// Below this a camera sees nothing, and neither does a person. Any other choice of colours is the customer's own.
    package static let leastContrast = 1.5

    /// Fails if a number is out of its range, or a colour can hardly be told from the background.
    package init(
        width: Int = 300, margin: Int = 1, format: Format = .png, codeColor: Color = .black, backgroundColor: Color = .white,
        finderPatternColor: Color? = nil, finderEyeColor: Color? = nil
    ) throws(QRCodeError) {
        self.width = width
        self.margin = margin
        self.format = format
        self.codeColor = codeColor
        self.backgroundColor = backgroundColor
        self.finderPatternColor = finderPatternColor ?? codeColor
        self.finderEyeColor = finderEyeColor ?? codeColor
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
