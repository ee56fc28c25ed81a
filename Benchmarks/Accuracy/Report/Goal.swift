/// A target to which the report compares a figure.
struct Goal: Sendable, Codable {
    enum Verdict: String, Sendable, Codable {
        /// The whole confidence interval meets the target.
        case reached
        /// The figure meets the target, but not the whole interval.
        case likely
        case notReached = "not reached"
    }

    let name: String
    let figure: Double
    let interval: Interval
    let target: Double
    /// Whether the target is an upper bound rather than a lower one.
    let isLimit: Bool

    init(_ name: String, _ count: Int, of total: Int, atMost target: Double) {
        self.init(name, count, of: total, target, isLimit: true)
    }

    init(_ name: String, _ count: Int, of total: Int, atLeast target: Double) {
        self.init(name, count, of: total, target, isLimit: false)
    }

    private init(_ name: String, _ count: Int, of total: Int, _ target: Double, isLimit: Bool) {
        self.name = name
        figure = total == 0 ? 0 : Double(count) / Double(total)
        interval = Interval(count, of: total)
        self.target = target
        self.isLimit = isLimit
    }

    var verdict: Verdict {
        if isLimit { return interval.high <= target ? .reached : figure <= target ? .likely : .notReached }
        return interval.low >= target ? .reached : figure >= target ? .likely : .notReached
    }
}

extension [Goal] {
    /// The targets for Linden's rules: false matches over all and in each mix, recall, and precision of later openings.
    init(_ mixes: [MixReport], _ contender: Contender) {
        self = []
        let tallies = mixes.compactMap { mix in mix.result(of: contender).map { (mix.mix, $0.tally) } }
        let all = tallies.map(\.1).reduce(Tally(), +)
        append(Goal("false matches over all", all.installs.falseMatches, of: all.installs.installs, atMost: 0.001))
        for (mix, tally) in tallies {
            append(Goal("false matches, \(mix)", tally.installs.falseMatches, of: tally.installs.installs, atMost: 0.0015))
        }
        append(Goal("recall over all", all.installs.right, of: all.installs.caused, atLeast: 0.37))
        for (mix, least) in [("home", 0.55), ("office", 0.2)] {
            guard let tally = tallies.first(where: { $0.0 == mix })?.1 else { continue }
            append(Goal("recall, \(mix)", tally.installs.right, of: tally.installs.caused, atLeast: least))
        }
        append(Goal("precision of later openings", all.openings.right, of: all.openings.given, atLeast: 0.95))
    }

    var text: String {
        var table = Table(["goal", "target", "measured", "95 %", ""])
        for goal in self {
            table.add([
                goal.name, (goal.isLimit ? "≤ " : "≥ ") + goal.target.percent, goal.figure.percent, goal.interval.percent,
                goal.verdict.rawValue,
            ])
        }
        return table.text
    }
}

/// A comparison of Linden's rules with a published one on a mix.
struct Contest: Sendable, Codable {
    let mix: String
    let rule: String
    let falseMatches: Double
    let recall: Double
    /// Linden's highest recall among the thresholds at which it has no more false matches than the rule. Nil if there is none; without
    /// `--curves`, only the standard threshold was tried.
    let recallAtEqualRate: Double?
    /// Whether Linden has no more false matches than the rule, or finds more at a threshold at which it has no more.
    let isWon: Bool

    init?(_ mix: MixReport, _ contender: Contender, against rule: MixReport.Result) {
        guard Contender.baselines.contains(where: { $0.name == rule.attributor }), let own = mix.result(of: contender)
        else { return nil }
        self.init(mix.mix, own, against: rule)
    }

    init(_ mix: String, _ own: MixReport.Result, against rule: MixReport.Result) {
        let theirs = rule.tally.installs
        self.mix = mix
        self.rule = rule.attributor
        falseMatches = theirs.falseMatchShare
        recall = theirs.recall
        let tried = [own.tally.installs] + own.curve.values.map(\.installs)
        let found = tried.filter { $0.falseMatchShare <= theirs.falseMatchShare }.map(\.recall).max()
        recallAtEqualRate = found
        isWon =
            own.tally.installs.falseMatchShare <= theirs.falseMatchShare || found.map { $0 > theirs.recall } ?? false
    }
}
