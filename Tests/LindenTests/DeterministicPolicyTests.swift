import Linden
import LindenKernel
import Testing

/// Decisions by an id, a link or a browser.
@Suite struct DeterministicPolicyTests {
    private typealias Samples = AttributionPolicyTests

    @Test func aClickIdBeatsEverything() {
        let decision = AttributionPolicy.decide(
            Evidence(
                linkClick: .found(Samples.named()), linkURL: .found(link: Samples.other),
                fingerprintSignals: .init(traits: Samples.phone, clicks: [Samples.similar(11, Samples.other)])))
        #expect(decision.match == Match(link: Samples.link, click: Samples.click, isGuaranteed: true))
        #expect(decision.matcher == "link_click")
        #expect(decision.outcome == .matched)
    }

    @Test func anUnknownClickIdLeavesTheChanceToTheRest() {
        var evidence = Samples.fingerprintSignals([Samples.similar(11, Samples.other)])
        evidence.linkClick = .unknown
        let decision = AttributionPolicy.decide(evidence)
        #expect(decision.match?.link == Samples.other)
        #expect(decision.match?.isGuaranteed == false)
        #expect(decision.answers.map(\.matcher) == ["link_click", "link_url", "browser", "device_id", "search_ad", "fingerprint"])
    }

    @Test func aLinkThatOpenedTheAppIsCertain() {
        var evidence = Samples.fingerprintSignals([Samples.similar(11, Samples.other)])
        evidence.linkURL = .found(link: Samples.link)
        let decision = AttributionPolicy.decide(evidence)
        #expect(decision.match == Match(link: Samples.link, click: nil, isGuaranteed: true))
    }

    @Test func aForeignURLEndsTheSearch() {
        var evidence = Samples.fingerprintSignals([Samples.similar(11, Samples.other)])
        evidence.linkURL = .foreign
        let decision = AttributionPolicy.decide(evidence)
        #expect(decision.match == nil)
        #expect(decision.answers.last?.matcher == "link_url")
    }

    @Test func theBrowsersClickComesBeforeTheDevicesId() {
        let named = Evidence.DeterministicClick(click: Click.ID(rawValue: 12), link: Samples.other, age: 1, window: 10)
        #expect(AttributionPolicy.decide(Evidence(browserClick: Samples.named(), deviceClick: named)).matcher == "browser")
        #expect(AttributionPolicy.decide(Evidence(deviceClick: named)).matcher == "device_id")
    }

    @Test func aClickBeyondItsWindowIsRefusedAndSaid() {
        let decision = AttributionPolicy.decide(Evidence(linkClick: .found(Samples.named(age: 3_000_000))))
        #expect(decision.match == nil)
        #expect(decision.outcome == .refused)
        #expect(decision.reason.contains("34 days 17 hours ago, and the window is 30 days"))
    }
}
