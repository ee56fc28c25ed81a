/// What Linden is measured by on each mix: nearly no false matches, and as much found as the best baseline that is fairly safe.
struct Goal: Sendable, Codable {
    static let mostFalseMatches = 0.001
    static let mostFalseMatchesOfBaseline = 0.005
    static let goodPartOfRecall = 0.95

    let falseMatches: Double
    let recall: Double
    /// The baseline with the highest recall of those with few enough false matches; nil if all have more.
    let baseline: String?
    let baselineRecall: Double?

    init(_ report: MixReport) {
        let linden = report.results.first { $0.attributor == Contender.linden.name }
        falseMatches = linden?.falseMatches ?? 0
        recall = linden?.recall ?? 0
        let safe = report.results.filter {
            $0.attributor != Contender.linden.name && $0.falseMatches <= Self.mostFalseMatchesOfBaseline
        }
        let best = safe.max { $0.recall < $1.recall }
        baseline = best?.attributor
        baselineRecall = best?.recall
    }

    var isSafe: Bool { falseMatches <= Self.mostFalseMatches }

    /// Linden's recall as a part of the baseline's; nil if there is no baseline to reach.
    var partOfRecall: Double? { baselineRecall.map { $0 == 0 ? 1 : recall / $0 } }

    var verdict: String {
        let safety = "false matches \(falseMatches.percent), \(isSafe ? "within" : "beyond") \(Self.mostFalseMatches.percent)"
        guard let baseline, let baselineRecall, let partOfRecall else {
            return "\(safety); no baseline is safe enough to compare with"
        }
        let reached = partOfRecall >= 1 ? "reached" : partOfRecall >= Self.goodPartOfRecall ? "nearly reached" : "not reached"
        return "\(safety); recall \(recall.percent) against \(baselineRecall.percent) of “\(baseline)”, \(reached)"
    }
}
