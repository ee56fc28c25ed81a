/// Where a code's modules lie in the image: all of the same whole number of pixels, so that edges are crisp, and in the middle.
struct Layout {
    /// The code's modules, across and down.
    let side: Int
    /// Pixels of one module, across and down; at least one in every style that ``QRCodeStyle`` allows.
    let moduleSize: Int
    /// Pixels to the left of the code and above it.
    let origin: Int

    init(_ style: QRCodeStyle, side: Int) {
        self.side = side
        moduleSize = (style.width - 2 * style.margin) / side
        origin = (style.width - moduleSize * side) / 2
    }

    /// The pixels of these columns, or these rows.
    func pixels(_ modules: Range<Int>) -> Range<Int> {
        origin + modules.lowerBound * moduleSize..<origin + modules.upperBound * moduleSize
    }
}
