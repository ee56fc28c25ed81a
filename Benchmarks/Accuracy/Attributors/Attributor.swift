/// One way of attributing installs to clicks. It receives everything in the order of time, and must not look at the parts of a record
/// that are marked as the truth.
protocol Attributor {
    var name: String { get }

    mutating func click(_ click: SimulatedClick)

    /// The click or link that an install is attributed to; nil for none.
    mutating func install(_ install: SimulatedInstall) -> Attribution?

    /// The same for an opening of a device that has had the app before.
    mutating func opening(_ opening: SimulatedInstall) -> Attribution?
}

extension Attributor {
    /// Most rules are for installs alone.
    mutating func opening(_ opening: SimulatedInstall) -> Attribution? { nil }
}

struct Attribution: Sendable, Equatable {
    /// Nil where the opening named the link itself.
    let click: Int?
    let link: Int
    /// How sure it is, in units of the attributor's own; compared with its threshold.
    let score: Double
}

extension Attribution {
    init(_ click: SimulatedClick, score: Double = 1) {
        self.init(click: click.id, link: click.link, score: score)
    }
}
