/// One method of linking an app launch to a click. Returns a match, or the reason why there is none.
package protocol Matcher: Sendable {
    static var name: String { get }

    func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer
}

/// The answer of a matcher, with the clicks it considered.
package struct MatcherAnswer: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        case match(Match)
        /// A match of an App Store search ad, without a link.
        case ad(Evidence.SearchAdAttribution)
        /// No match; the next matcher may try.
        case noMatch
        /// No match, and no later matcher may try: the launch has another cause.
        case stop
    }

    package let verdict: Verdict
    /// The explanation in words, for a support person.
    package let reason: String
    package let candidates: [Candidate]
    /// Why none of the candidates was taken; nil without candidates.
    package var refusal: AttributionDecision.Refusal?

    package static func match(_ match: Match, _ reason: String, _ candidates: [Candidate] = []) -> MatcherAnswer {
        MatcherAnswer(verdict: .match(match), reason: reason, candidates: candidates)
    }

    package static func ad(_ ad: Evidence.SearchAdAttribution, _ reason: String) -> MatcherAnswer {
        MatcherAnswer(verdict: .ad(ad), reason: reason, candidates: [])
    }

    package static func noMatch(
        _ reason: String, _ candidates: [Candidate] = [], _ refusal: AttributionDecision.Refusal? = nil
    ) -> MatcherAnswer {
        MatcherAnswer(verdict: .noMatch, reason: reason, candidates: candidates, refusal: refusal)
    }

    package static func stop(_ reason: String) -> MatcherAnswer {
        MatcherAnswer(verdict: .stop, reason: reason, candidates: [])
    }
}

/// The click or link that a launch is attributed to.
package struct Match: Sendable, Equatable {
    package let link: Link.ID
    /// Nil if the launch itself is the click, as with Universal Links.
    package let click: Click.ID?
    /// Whether the match is deterministic rather than probabilistic (`+match_guaranteed`).
    package let isGuaranteed: Bool

    package init(link: Link.ID, click: Click.ID?, isGuaranteed: Bool) {
        self.link = link
        self.click = click
        self.isGuaranteed = isGuaranteed
    }
}

/// A click that was considered: the signals for and against it, and why it won or lost.
package struct Candidate: Sendable, Equatable {
    /// One signal that was compared.
    package struct Signal: Sendable, Equatable {
        package let name: String
        /// The compared values, such as `both 17.5.1`.
        package let seen: String
        /// Nil if the signal is not scored, because it excludes or identifies the click by itself.
        package let points: Int?

        package init(_ name: String, _ seen: String, _ points: Int? = nil) {
            self.name = name
            self.seen = seen
            self.points = points
        }
    }

    package let click: Click.ID
    package let link: Link.ID
    package var signals: [Signal]
    package var reason: String
    package var hasWon = false

    package init(click: Click.ID, link: Link.ID, signals: [Signal], reason: String, hasWon: Bool = false) {
        self.click = click
        self.link = link
        self.signals = signals
        self.reason = reason
        self.hasWon = hasWon
    }

    package var points: Int { signals.compactMap(\.points).reduce(0, +) }

    /// The points; nil if no signal is scored.
    package var score: Int? { signals.contains { $0.points != nil } ? points : nil }
}
