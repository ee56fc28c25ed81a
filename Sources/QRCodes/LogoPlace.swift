/// The position of a logo: in the middle of the code, in a gap that is about one module wider on each side.
///
/// The gap takes less than a tenth of the modules. A code with high error correction tolerates the loss of almost a third, so it stays
/// readable even if it is slightly dirty.
struct LogoPlace {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    /// The modules that are cleared for the logo.
    let columns: Range<Int>
    let rows: Range<Int>

    /// The maximum size of a logo's longer side, in percent of the code's width.
    private static let percent = 22

    init(_ logo: Bitmap, in layout: Layout) {
        // A code has an odd number of modules on a side, so a centred box covers whole modules if its number is odd, too.
        let modules = (layout.side * Self.percent / 100 - 1) | 1
        let box = modules * layout.moduleSize
        let longer = max(logo.width, logo.height)
        width = max(1, box * logo.width / longer)
        height = max(1, box * logo.height / longer)
        x = layout.origin + (layout.side * layout.moduleSize - width) / 2
        y = layout.origin + (layout.side * layout.moduleSize - height) / 2
        columns = Self.gap(width, in: layout)
        rows = Self.gap(height, in: layout)
    }

    private static func gap(_ pixels: Int, in layout: Layout) -> Range<Int> {
        let covered = (pixels + layout.moduleSize - 1) / layout.moduleSize | 1
        let first = (layout.side - covered) / 2 - 1
        return first..<first + covered + 2
    }
}
