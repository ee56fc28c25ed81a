/// The size of a device's screen in points (CSS pixels), the shorter side first, so that it does not matter how it is held.
package struct Screen: Sendable, Hashable {
    package let width: Int
    package let height: Int

    /// Nil for what can be no screen.
    package init?(width: Int, height: Int) {
        guard Self.sides.contains(width), Self.sides.contains(height) else { return nil }
        self.width = min(width, height)
        self.height = max(width, height)
    }

    /// In pixels, of which `scale` make a point. Points are rounded up, as browsers do.
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

    /// Whether two reports can be of one screen. To the point, as pixels do not divide evenly. On Android the SDK leaves out the bar at
    /// the screen's end, which the browser counts (`Display.getMetrics`), so there the shorter side speaks alone.
    package func looksLike(_ other: Screen, on os: String) -> Bool {
        abs(width - other.width) <= 1 && (os == "Android" || abs(height - other.height) <= 1)
    }
}
