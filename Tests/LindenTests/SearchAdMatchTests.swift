import Linden
import LindenKernel
import Testing

@Suite struct SearchAdMatchTests {
    private static let labels: JSONObject = ["~advertising_partner_name": "Apple Search Ads", "~campaign": "Pears"]
    private static let click = Evidence.DeterministicClick(
        click: Click.ID(rawValue: 10), link: Link.ID(rawValue: 1), age: 60, window: 600)

    private static func ad(
        _ labels: JSONObject = labels, counts: Bool = true, age: Int64? = 60, window: Int64 = 2_592_000
    ) -> Evidence.SearchAdAttribution {
        .init(labels: labels, counts: counts, age: age, window: window)
    }

    private static func fingerprintSignals() -> Evidence.FingerprintSignals {
        let phone = Evidence.Traits(os: "iOS", osVersion: "17.5.1", language: "de")
        return .init(
            traits: phone,
            clicks: [
                .init(
                    click: Click.ID(rawValue: 11), link: Link.ID(rawValue: 2), content: "a", age: 60, window: 7200, traits: phone)
            ])
    }

    @Test func anAdThatAppleNamesIsTheReasonAndNoLinkIs() {
        let decision = AttributionPolicy.decide(Evidence(searchAd: Self.ad()))
        #expect(decision.outcome == .matched)
        #expect(decision.matcher == "search_ad")
        #expect(decision.match == nil)
        #expect(decision.ad == Self.ad())
        #expect(decision.reason.contains("1 minute before"))
    }

    @Test func anAdBeatsALikelyClickAndNoCertainOne() {
        #expect(
            AttributionPolicy.decide(Evidence(searchAd: Self.ad(), fingerprintSignals: Self.fingerprintSignals())).matcher
                == "search_ad")
        #expect(AttributionPolicy.decide(Evidence(deviceClick: Self.click, searchAd: Self.ad())).matcher == "device_id")
        #expect(AttributionPolicy.decide(Evidence(linkClick: .found(Self.click), searchAd: Self.ad())).matcher == "link_click")
        #expect(
            AttributionPolicy.decide(Evidence(linkURL: .found(link: Link.ID(rawValue: 1)), searchAd: Self.ad())).matcher
                == "link_url")
    }

    private static let refusals: [(ad: Evidence.SearchAdAttribution?, reason: String)] = [
        (nil, "reported no App Store ad"), (ad([:]), "no App Store ad led"), (ad(counts: false), "the sample"),
        (ad(age: 2_592_000), "30 days ago, and the window is 30 days"), (ad(age: 0, window: 0), "window is less than a second"),
    ]

    @Test(arguments: refusals)
    func otherwiseItSaysWhyNotAndLeavesTheChanceToTheRest(ad: Evidence.SearchAdAttribution?, reason: String) throws {
        let alone = AttributionPolicy.decide(Evidence(searchAd: ad))
        #expect(alone.outcome == .organic)
        let answer = try #require(alone.answers.first { $0.matcher == "search_ad" })
        #expect(answer.reason.contains(reason), "\(answer.reason)")
        #expect(
            AttributionPolicy.decide(Evidence(searchAd: ad, fingerprintSignals: Self.fingerprintSignals())).matcher == "fingerprint"
        )
    }

    @Test func withoutTheTimeOfTheTapItCounts() {
        let decision = AttributionPolicy.decide(Evidence(searchAd: Self.ad(age: nil)))
        #expect(decision.matcher == "search_ad")
    }

    @Test(arguments: [ad(), ad([:], counts: false), ad(counts: false, age: nil), ad(age: nil, window: 0)])
    func whatAppleReportedIsStoredWhole(ad: Evidence.SearchAdAttribution) throws {
        let evidence = Evidence(searchAd: ad, fingerprintSignals: Self.fingerprintSignals())
        #expect(Evidence(json: try JSON.parse(evidence.json.text)) == evidence)
    }
}
