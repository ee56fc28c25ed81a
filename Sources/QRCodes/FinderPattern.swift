extension QRCodeStyle {
    /// The shape of the three finder patterns, each a ring around an eye. The raw values are Branch's numbers (`finder_pattern`).
    package enum FinderPattern: Int, Sendable, CaseIterable {
        case square = 1
        case rounded
        case circle
    }
}

extension QRCodeStyle.FinderPattern {
    /// Modules of a finder pattern on a side.
    static let side = 7

    /// The three shapes, from outside to inside: the ring, its hole and the eye. All have their middle in that of the pattern.
    private static let halfSides = (ring: 3.5, hole: 2.5, eye: 1.5)

    /// The radius of a shape's corners in modules. Circles are not quite round: some readers do not find a pattern that is.
    private func radius(halfSide: Double) -> Double {
        switch self {
        case .square: 0
        case .rounded: halfSide * 0.5
        case .circle: halfSide * 0.8
        }
    }

    /// Returns the ink at a point, in modules from the pattern's upper left corner.
    func ink(x: Double, y: Double) -> Ink {
        if isInside(Self.halfSides.eye, x: x, y: y) { return .finderEye }
        return isInside(Self.halfSides.ring, x: x, y: y) && !isInside(Self.halfSides.hole, x: x, y: y)
            ? .finderPattern : .background
    }

    private func isInside(_ halfSide: Double, x: Double, y: Double) -> Bool {
        let (dx, dy) = (abs(x - 3.5), abs(y - 3.5))
        guard dx <= halfSide, dy <= halfSide else { return false }
        let radius = radius(halfSide: halfSide)
        let (cornerX, cornerY) = (dx - (halfSide - radius), dy - (halfSide - radius))
        return cornerX <= 0 || cornerY <= 0 || cornerX * cornerX + cornerY * cornerY <= radius * radius
    }

    /// Returns the outlines of the ring and of the eye as the data of SVG paths, to be filled by the rule `evenodd`.
    ///
    /// - Parameters:
    ///   - column: the column of the pattern's upper left module.
    ///   - row: its row.
    func paths(column: Int, row: Int) -> (ring: String, eye: String) {
        let middle = (x: Double(column) + 3.5, y: Double(row) + 3.5)
        return (
            outline(Self.halfSides.ring, around: middle) + outline(Self.halfSides.hole, around: middle),
            outline(Self.halfSides.eye, around: middle)
        )
    }

    private func outline(_ halfSide: Double, around middle: (x: Double, y: Double)) -> String {
        let radius = radius(halfSide: halfSide)
        let (r, straight) = (decimal(radius), decimal(2 * (halfSide - radius)))
        let start = "M\(decimal(middle.x - halfSide + radius)) \(decimal(middle.y - halfSide))"
        return start + "h\(straight)a\(r) \(r) 0 0 1 \(r) \(r)v\(straight)a\(r) \(r) 0 0 1 -\(r) \(r)h-\(straight)"
            + "a\(r) \(r) 0 0 1 -\(r) -\(r)v-\(straight)a\(r) \(r) 0 0 1 \(r) -\(r)z"
    }
}
