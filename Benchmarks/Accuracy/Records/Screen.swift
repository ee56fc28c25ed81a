/// The size of a phone's screen, as browsers count it (points or CSS pixels) or as SDKs do (pixels and how many make a point).
struct Screen: Sendable, Hashable {
    let width: Double
    let height: Double
    /// Pixels to a point.
    let scale: Double

    /// In whole points, as a page reads `screen.width` and `devicePixelRatio`.
    static func points(_ width: Double, _ height: Double, scale: Double) -> Screen {
        Screen(width: width, height: height, scale: scale)
    }

    static func pixels(_ width: Double, _ height: Double, scale: Double) -> Screen {
        Screen(width: width / scale, height: height / scale, scale: scale)
    }

    /// Browsers round up to whole points.
    var roundedUp: Screen { Screen(width: width.rounded(.up), height: height.rounded(.up), scale: scale) }

    /// Whether two reports can be of one screen: to the point, as pixels do not divide evenly, and to the bar that Android's SDKs leave
    /// out.
    func looksLike(_ other: Screen) -> Bool {
        abs(width - other.width) < 1 && [0, Figures.navigationBar].contains { abs(abs(height - other.height) - $0) < 1 }
            && scale == other.scale
    }

    /// As an SDK on Android measures it, without the bar at its end.
    var withoutBar: Screen { Screen(width: width, height: height - Figures.navigationBar, scale: scale) }
}
