/// The size of a device's screen in points (CSS pixels), the shorter side first, independent of its orientation.
package struct Screen: Sendable, Hashable {
    package let width: Int
    package let height: Int

    /// Nil if a side is outside 100 to 10,000 points.
    package init?(width: Int, height: Int) {
        guard Self.sides.contains(width), Self.sides.contains(height) else { return nil }
        self.width = min(width, height)
        self.height = max(width, height)
    }

    /// Creates a size from pixels, `scale` of which make a point. Points are rounded up, as browsers do.
    package init?(pixelWidth: Double, pixelHeight: Double, scale: Double) {
        guard scale > 0, scale <= 20, let width = Int(exactly: (pixelWidth / scale).rounded(.up)),
            let height = Int(exactly: (pixelHeight / scale).rounded(.up))
        else { return nil }
        self.init(width: width, height: height)
    }

    private static let sides = 100...10_000
}

extension Screen {
    /// `390x844`.
    package var text: String { "\(width)x\(height)" }

    package init?(_ text: String) {
        let sides = text.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2 else { return nil }
        self.init(width: sides[0], height: sides[1])
    }

    /// Returns whether two reports may be of the same screen, with a tolerance of one point, since pixels do not divide evenly. On Android
    /// the SDK leaves out the bar at the screen's end, which the browser counts (`Display.getMetrics`), so only the shorter side is
    /// compared.
    package func looksLike(_ other: Screen, on os: String) -> Bool {
        abs(width - other.width) <= 1 && (os == "Android" || abs(height - other.height) <= 1)
    }
}
