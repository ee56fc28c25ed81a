import Linden

/// What was measured on one mix.
struct MixReport: Sendable, Codable {
    struct Result: Sendable, Codable {
        let attributor: String
        let threshold: Double?
        let confusion: Confusion
        let precision: Double
        let recall: Double
        let falseMatches: Double
        let curve: [Point]
    }

    /// One threshold of an attributor's precision–recall curve.
    struct Point: Sendable, Codable {
        let threshold: Double
        let precision: Double
        let recall: Double
        let falseMatches: Double
    }

    let mix: String
    let description: String
    let installs: Int
    let organic: Int
    let clicks: Int
    let robots: Int
    /// Of the installs that a click led to, those that came within two hours and from the address of the click: about the most that
    /// can be found by address.
    let reachable: Double
    let results: [Result]

    init(of history: History, by contenders: [Contender]) {
        mix = history.mix.name
        description = history.mix.description
        let installed = history.installs
        let clicked = history.clicks
        installs = installed.count
        organic = installed.filter { $0.truth == nil && !$0.isOpenedByLink }.count
        clicks = clicked.count
        robots = clicked.filter { $0.isRobot || $0.network == .dataCentre }.count
        let caused = installed.filter { $0.truth != nil }
        let reached = caused.filter { install in
            let click = clicked[install.truth!]
            return click.address.key == install.address.key && install.time < click.time + .hours(2)
        }
        reachable = caused.isEmpty ? 0 : Double(reached.count) / Double(caused.count)
        results = contenders.map { Result(of: $0, on: history) }
    }
}

extension MixReport.Result {
    fileprivate init(of contender: Contender, on history: History) {
        let tried = contender.thresholds.map { ($0, Confusion(of: history, by: contender.attributor(threshold: $0))) }
        let published = tried.first { $0.0 == contender.threshold }?.1
        let confusion = published ?? Confusion(of: history, by: contender.attributor())
        self.init(
            attributor: contender.name, threshold: contender.threshold, confusion: confusion, precision: confusion.precision,
            recall: confusion.recall, falseMatches: confusion.falseMatchShare,
            curve: tried.map { threshold, confusion in
                MixReport.Point(
                    threshold: threshold, precision: confusion.precision, recall: confusion.recall,
                    falseMatches: confusion.falseMatchShare)
            })
    }
}

extension SimulatedInstall {
    fileprivate var isOpenedByLink: Bool {
        if case .link = opening { true } else { false }
    }
}
