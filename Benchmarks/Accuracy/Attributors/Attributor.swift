/// One way of giving installs to clicks. It is told of everything in the order of time, and must not look at the parts of a record
/// that are marked as the truth.
protocol Attributor {
    var name: String { get }

    mutating func click(_ click: SimulatedClick)

    /// The click or link an install is given to; nil if it is given to none.
    mutating func install(_ install: SimulatedInstall) -> Attribution?
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
