/// The position of a code's modules in the image: centred, each a whole number of pixels, so that edges are crisp.
struct Layout {
    /// Modules of the code on a side.
    let side: Int
    /// Pixels of a module on a side; at least one in every style that ``QRCodeStyle`` allows.
    let moduleSize: Int
    /// Pixels to the left of the code and above it.
    let origin: Int

    init(_ style: QRCodeStyle, side: Int) {
        self.side = side
        moduleSize = (style.width - 2 * style.margin) / side
        origin = (style.width - moduleSize * side) / 2
    }

    /// Returns the pixels of a range of columns or rows.
    func pixels(_ modules: Range<Int>) -> Range<Int> {
        origin + modules.lowerBound * moduleSize..<origin + modules.upperBound * moduleSize
    }
}
