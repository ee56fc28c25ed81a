/// The estimated chance that a probabilistic match is wrong, by its score.
///
/// Measured by the accuracy benchmark over all its mixes of networks, for installs by the standard rules of this version
/// (`Scripts/bench.sh accuracy --histories 3`, seeds 101 to 103).
package enum MatchConfidence {
    private static let bands: [(from: Int, wrongPerThousand: Int)] = [(60, 13), (70, 4), (80, 3)]

    /// The most wrong matches of a thousand among which one is still called likely.
    package static let likely = 50

    /// Of a thousand matches with such a score, how many are wrong; nil for rules that were not measured.
    package static func wrongPerThousand(points: Int, ruleVersion: Int) -> Int? {
        guard ruleVersion == AttributionRules.standard.version else { return nil }
        return bands.last { points >= $0.from }?.wrongPerThousand
    }
}
