/// The size of a phone's screen in points (CSS pixels), as browsers report it, with the scale by which SDKs report pixels.
struct Screen: Sendable, Hashable {
    let width: Double
    let height: Double
    /// Pixels per point.
    let scale: Double

    /// A size in whole points, as a page reads `screen.width` and `devicePixelRatio`.
    static func points(_ width: Double, _ height: Double, scale: Double) -> Screen {
        Screen(width: width, height: height, scale: scale)
    }

    static func pixels(_ width: Double, _ height: Double, scale: Double) -> Screen {
        Screen(width: width / scale, height: height / scale, scale: scale)
    }

    /// The size rounded up to whole points, as browsers report it.
    var roundedUp: Screen { Screen(width: width.rounded(.up), height: height.rounded(.up), scale: scale) }

    /// Whether two reports can be of one screen. Tolerates less than a point, since pixels do not divide evenly, and the navigation bar
    /// that Android's SDKs leave out.
    func looksLike(_ other: Screen) -> Bool {
        abs(width - other.width) < 1 && [0, Figures.navigationBar].contains { abs(abs(height - other.height) - $0) < 1 }
            && scale == other.scale
    }

    /// The size as an SDK on Android measures it, without the navigation bar.
    var withoutBar: Screen { Screen(width: width, height: height - Figures.navigationBar, scale: scale) }
}
