import CoreMetrics
import Linden

/// The number of started sessions by how they were attributed.
final class SessionMetrics: Sendable {
    private struct Key: Hashable {
        let outcome: AttributionDecision.Outcome
        /// The matcher or the kind of refusal; empty for none.
        let reason: String
    }

    private let counts: [Key: Counter]

    init(factory: any MetricsFactory) {
        let refusals = AttributionDecision.Refusal.allCases.map(\.rawValue) + [""]
        let keys =
            AttributionPolicy.matcherNames.map { Key(outcome: .matched, reason: $0) }
            + refusals.map { Key(outcome: .refused, reason: $0) } + [Key(outcome: .organic, reason: "")]
        counts = Dictionary(
            uniqueKeysWithValues: keys.map { key in
                let dimensions = [("outcome", key.outcome.rawValue), ("reason", key.reason)]
                return (key, Counter(label: "linden_sessions_total", dimensions: dimensions, factory: factory))
            })
    }

    /// Counts a session, unless it is that of an earlier try.
    func record(_ session: StartedSession) {
        guard let attribution = session.attribution else { return }
        counts[Key(outcome: attribution.outcome, reason: attribution.by)]?.increment()
    }
}
