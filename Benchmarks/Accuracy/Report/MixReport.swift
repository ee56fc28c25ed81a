import Linden

/// What was measured on one mix, over one history or several.
struct MixReport: Sendable, Codable {
    struct Result: Sendable, Codable {
        let attributor: String
        let threshold: Double?
        let tally: Tally
        /// By threshold: the precision–recall curve.
        let curve: [Double: Tally]
    }

    let mix: String
    let description: String
    private(set) var installs: Int
    private(set) var organic: Int
    private(set) var openings: Int
    private(set) var clicks: Int
    private(set) var robots: Int
    /// Of the installs that a click led to, those that came within two hours and from the address of the click: about the most that
    /// can be found by address.
    private(set) var reachable: Int
    private(set) var results: [Result]

    init(of history: History, by contenders: [Contender], withCurves: Bool = true) {
        mix = history.mix.name
        description = history.mix.description
        let installed = history.installs
        let clicked = history.clicks
        installs = installed.count
        organic = installed.filter { $0.truth == nil && !$0.isOpenedByLink }.count
        openings = history.openings.count
        clicks = clicked.count
        robots = clicked.filter { $0.isRobot || $0.network == .dataCentre }.count
        reachable = installed.count { install in
            guard let truth = install.truth else { return false }
            let click = clicked[truth]
            return click.address.key == install.address.key && install.time < click.time + .hours(2)
        }
        results = contenders.map { contender in
            let thresholds = withCurves ? contender.thresholds : []
            let curve = thresholds.map { ($0, Tally(of: history, by: contender.attributor(threshold: $0))) }
            return Result(
                attributor: contender.name, threshold: contender.threshold,
                tally: curve.first { $0.0 == contender.threshold }?.1 ?? Tally(of: history, by: contender.attributor()),
                curve: Dictionary(uniqueKeysWithValues: curve))
        }
    }

    /// Adds what was measured on another history of the same mix by the same contenders.
    mutating func add(_ other: MixReport) {
        installs += other.installs
        organic += other.organic
        openings += other.openings
        clicks += other.clicks
        robots += other.robots
        reachable += other.reachable
        results = zip(results, other.results).map { own, theirs in
            Result(
                attributor: own.attributor, threshold: own.threshold, tally: own.tally + theirs.tally,
                curve: own.curve.merging(theirs.curve, uniquingKeysWith: +))
        }
    }

    /// Of the installs that a click led to.
    var reachableShare: Double { installs == organic ? 0 : Double(reachable) / Double(installs - organic) }

    func result(of contender: Contender) -> Result? { results.first { $0.attributor == contender.name } }
}

extension SimulatedInstall {
    fileprivate var isOpenedByLink: Bool {
        if case .link = opening { true } else { false }
    }
}
