import Foundation

extension QRCodeStyle {
    /// The shape of a code's modules. The raw values are Branch's numbers (`code_pattern`).
    package enum ModulePattern: Int, Sendable, CaseIterable {
        /// Adjacent modules touch.
        case standard = 1
        /// Squares with a gap between them.
        case squares
        case circles
        case triangles
        case diamonds
        case hexagons
        case octagons
    }
}

extension QRCodeStyle.ModulePattern {
    /// The least pixels of a module that is drawn as a shape. With fewer, a shape would be too ragged to be read, so modules are drawn whole.
    static let leastModuleSize = 4

    /// The corners of the shape in a square of side 1, clockwise; nil for a circle. The middle of the square is always inside, since that is
    /// where readers look.
    private var corners: [(x: Double, y: Double)]? {
        switch self {
        case .standard: [(0, 0), (1, 0), (1, 1), (0, 1)]
        case .squares: [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]
        case .circles: nil
        case .triangles: [(0.5, 0), (1, 1), (0, 1)]
        case .diamonds: [(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)]
        case .hexagons: [(0.25, 0), (0.75, 0), (1, 0.5), (0.75, 1), (0.25, 1), (0, 0.5)]
        case .octagons: [(0.3, 0), (0.7, 0), (1, 0.3), (1, 0.7), (0.7, 1), (0.3, 1), (0, 0.7), (0, 0.3)]
        }
    }

    /// Returns the outline of a module as the data of an SVG path.
    func path(column: Int, row: Int) -> String {
        guard let corners else { return "M\(column) \(row).5a.5.5 0 1 1 1 0a.5.5 0 1 1-1 0z" }
        return "M" + corners.map { "\(decimal(Double(column) + $0.x)) \(decimal(Double(row) + $0.y))" }.joined(separator: "L") + "z"
    }

    /// Returns whether each pixel of a module is dark, row by row.
    ///
    /// - Parameter size: the pixels of a module on a side.
    func mask(size: Int) -> [Bool] {
        (0..<size * size).map { pixel in
            covers(x: (Double(pixel % size) + 0.5) / Double(size), y: (Double(pixel / size) + 0.5) / Double(size))
        }
    }

    private func covers(x: Double, y: Double) -> Bool {
        guard let corners else { return hypot(x - 0.5, y - 0.5) <= 0.5 }
        // Inside of a convex shape, every side has the point to its right.
        return zip(corners, corners[1...] + corners[..<1]).allSatisfy { from, to in
            (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x) >= 0
        }
    }
}

/// Returns a number of at most three decimals without trailing zeros.
func decimal(_ number: Double) -> String {
    let thousandths = Int((number * 1000).rounded())
    let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
    guard rest != 0 else { return String(whole) }
    let digits = String(1000 + rest).dropFirst()
    return "\(whole)." + digits[...digits.lastIndex { $0 != "0" }!]
}
