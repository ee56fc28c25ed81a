/// Decides which link an opening is given to. Pure: the same evidence always gives the same decision.
package enum AttributionPolicy {
    /// Raised whenever the same evidence may be decided differently.
    package static let ruleVersion = 3

    /// The matchers in the order in which they are asked; the first match wins.
    private static let matchers: [any Matcher] = [LinkClickMatch(), LinkURLMatch(), BrowserMatch(), FingerprintMatch()]

    package static func decide(_ evidence: Evidence) -> AttributionDecision {
        var refusals: [AttributionDecision.Refusal] = []
        for matcher in matchers {
            let name = type(of: matcher).name
            switch matcher.answer(evidence) {
            case .match(let match):
                return AttributionDecision(ruleVersion: ruleVersion, match: match, matcher: name, refusals: refusals)
            case .noMatch(let reason):
                refusals.append(.init(matcher: name, reason: reason))
            case .stop(let reason):
                refusals.append(.init(matcher: name, reason: reason))
                return AttributionDecision(ruleVersion: ruleVersion, match: nil, matcher: nil, refusals: refusals)
            }
        }
        return AttributionDecision(ruleVersion: ruleVersion, match: nil, matcher: nil, refusals: refusals)
    }
}

/// What was decided and why: the match, if any, and what every matcher asked before it said.
package struct AttributionDecision: Sendable, Equatable {
    package struct Refusal: Sendable, Equatable {
        package let matcher: String
        package let reason: String
    }

    package let ruleVersion: Int
    package let match: Match?
    package let matcher: String?
    package let refusals: [Refusal]

    /// As stored with the session.
    package var explanation: JSON {
        [
            "rule_version": JSON(ruleVersion),
            "outcome": JSON(matcher ?? "none"),
            "reason": JSON(match?.reason ?? refusals.last?.reason ?? "Nothing was asked."),
            "refusals": .array(refusals.map { ["matcher": .string($0.matcher), "reason": .string($0.reason)] }),
        ]
    }
}
