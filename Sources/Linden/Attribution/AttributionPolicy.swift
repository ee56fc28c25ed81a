/// Decides which link an app launch is attributed to. Pure: the same evidence and rules always give the same decision.
package enum AttributionPolicy {
    /// The matchers in the order in which they are asked; the first match wins.
    private static let matchers: [any Matcher] = [
        LinkClickMatch(), LinkURLMatch(), BrowserMatch(), DeviceIDMatch(), SearchAdMatch(), FingerprintMatch(),
    ]

    package static func decide(_ evidence: Evidence, _ rules: AttributionRules = .standard) -> AttributionDecision {
        let rules = rules.fitting(evidence)
        var decision = AttributionDecision(ruleVersion: rules.version)
        for matcher in matchers {
            let name = type(of: matcher).name
            let answer = matcher.answer(evidence, rules)
            decision.candidates += answer.candidates.map { .init(matcher: name, candidate: $0) }
            decision.answers.append(.init(matcher: name, reason: answer.reason, refusal: answer.refusal))
            switch answer.verdict {
            case .match(let match):
                decision.match = match
                return decision
            case .ad(let ad):
                decision.ad = ad
                return decision
            case .stop: return decision
            case .noMatch: continue
            }
        }
        return decision
    }
}
