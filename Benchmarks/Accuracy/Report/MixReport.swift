import LindenKernel

/// The results of one mix, over one or more histories.
struct MixReport: Sendable, Codable {
    struct Result: Sendable, Codable {
        let attributor: String
        let threshold: Double?
        let tally: Tally
        /// The precision–recall curve, by threshold.
        let curve: [Double: Tally]
    }

    let mix: String
    let description: String
    private(set) var installs: Int
    private(set) var organic: Int
    private(set) var openings: Int
    private(set) var clicks: Int
    private(set) var robots: Int
    /// The number of installs caused by a click that came within two hours and from the click's address: about the most that matching by
    /// address can find.
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

    /// Adds the results of another history of the same mix by the same contenders.
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

    /// The share of reachable installs among those caused by a click.
    var reachableShare: Double { installs == organic ? 0 : Double(reachable) / Double(installs - organic) }

    func result(of contender: Contender) -> Result? { results.first { $0.attributor == contender.name } }
}

extension SimulatedInstall {
    fileprivate var isOpenedByLink: Bool {
        if case .link = opening { true } else { false }
    }
}
