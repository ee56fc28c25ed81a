import Linden
import LindenKernel
import Testing

/// Decisions as they are stored with their sessions.
@Suite struct StoredDecisionTests {
    private static let click = Evidence.DeterministicClick(
        click: Click.ID(rawValue: 10), link: Link.ID(rawValue: 1), age: 60, window: 600)
    private static let ad = Evidence.SearchAdAttribution(
        labels: ["~campaign": "Pears", "~campaign_id": "542370539"], age: 60, window: 600)

    private static func fingerprint(content: [String]) -> Evidence {
        Evidence(
            fingerprintSignals: Evidence.FingerprintSignals(
                traits: .init(os: "iOS", osVersion: "18.5", language: "de"),
                clicks: content.enumerated().map { number, content in
                    Evidence.SimilarClick(
                        click: Click.ID(rawValue: Int64(number) + 20), link: Link.ID(rawValue: Int64(number) + 2),
                        content: content, age: 60, window: 7200, traits: .init(os: "iOS", osVersion: "18.5", language: "de"))
                }))
    }

    private static let evidence = [
        Evidence(), Evidence(linkClick: .found(click)), Evidence(linkClick: .usedUp),
        Evidence(linkURL: .found(link: Link.ID(rawValue: 1))),
        Evidence(searchAd: ad), fingerprint(content: ["a"]), fingerprint(content: ["a", "b"]),
    ]

    @Test(arguments: evidence)
    func aDecisionIsReadAsItWasWritten(evidence: Evidence) throws {
        let decision = StoredDecision(AttributionPolicy.decide(evidence))
        #expect(try StoredDecision(json: JSON.parse(decision.json.text)) == decision)
    }

    @Test func everyOutcomeAndRefusalIsReadAsItWasWritten() throws {
        for outcome in AttributionDecision.Outcome.allCases {
            for refusal in [nil] + AttributionDecision.Refusal.allCases as [AttributionDecision.Refusal?] {
                let decision = StoredDecision(outcome: outcome, reason: "Because.", refusal: refusal)
                #expect(try StoredDecision(json: JSON.parse(decision.json.text)) == decision)
            }
        }
    }

    @Test(arguments: [
        ("1", "explanation"), ("{}", "outcome"), (#"{"outcome":"won","reason":""}"#, "outcome"),
        (#"{"outcome":"organic"}"#, "reason"),
        (#"{"outcome":"refused","reason":"","refusal":"mood"}"#, "refusal"),
        (#"{"outcome":"organic","reason":"","rule_version":"5"}"#, "rule_version"),
        (#"{"outcome":"matched","reason":"","matcher":null}"#, "matcher"), (#"{"outcome":"matched","reason":"","ad":[]}"#, "ad"),
        (#"{"outcome":"refused","reason":"","candidates":[{"matcher":"fingerprint","reason":"","link":1,"signals":[]}]}"#, "click"),
        (#"{"outcome":"organic","reason":"","answers":[{"matcher":"browser"}]}"#, "reason"),
    ])
    func malformedJSONIsRejectedByTheMemberThatIsWrong(text: String, member: String) throws {
        let json = try JSON.parse(text)
        #expect(throws: MemberError(name: member)) { try StoredDecision(json: json) }
    }
}
