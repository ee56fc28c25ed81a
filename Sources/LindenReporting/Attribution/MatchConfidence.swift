import Linden

/// The estimated probability that a probabilistic match is wrong, by its score.
///
/// Measured by the accuracy benchmark over all its mixes of networks, for installs by the standard rules of this version (`Scripts/bench.sh
/// accuracy --histories 3`, seeds 101 to 103).
package enum MatchConfidence {
    private static let bands: [(from: Int, wrongPerThousand: Int)] = [(60, 13), (70, 4), (80, 3)]

    /// The maximum number of wrong matches per thousand at which a match still counts as likely.
    package static let likely = 50

    /// Returns the number of wrong matches per thousand with this score; nil for rules that were not measured.
    package static func wrongPerThousand(points: Int, ruleVersion: Int) -> Int? {
        guard ruleVersion == AttributionRules.standard.version else { return nil }
        return bands.last { points >= $0.from }?.wrongPerThousand
    }
}
