/// A method of attributing installs to clicks. It receives all records in the order of time, and must not read their ground truth.
protocol Attributor {
    var name: String { get }

    mutating func click(_ click: SimulatedClick)

    /// Returns the click or link to which an install is attributed; nil for none.
    mutating func install(_ install: SimulatedInstall) -> Attribution?

    /// Returns the click or link to which an opening by a device that has had the app before is attributed; nil for none.
    mutating func opening(_ opening: SimulatedInstall) -> Attribution?
}

extension Attributor {
    /// The default: most rules apply to installs only.
    mutating func opening(_ opening: SimulatedInstall) -> Attribution? { nil }
}

struct Attribution: Sendable, Equatable {
    /// Nil if the opening named the link itself.
    let click: Int?
    let link: Int
    /// The confidence, on the attributor's own scale; compared with its threshold.
    let score: Double
}

extension Attribution {
    init(_ click: SimulatedClick, score: Double = 1) {
        self.init(click: click.id, link: click.link, score: score)
    }
}
