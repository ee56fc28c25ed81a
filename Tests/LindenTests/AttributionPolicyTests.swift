import Linden
import Testing

@Suite struct AttributionPolicyTests {
    private let link = Link.ID(rawValue: 1)
    private let other = Link.ID(rawValue: 2)
    private let click = Click.ID(rawValue: 10)

    private func similar(_ click: Int64, _ link: Link.ID, _ content: String) -> Evidence.SimilarClick {
        .init(click: Click.ID(rawValue: click), link: link, content: content)
    }

    @Test func aClickIdBeatsEverything() {
        let decision = AttributionPolicy.decide(
            Evidence(
                linkClick: .found(click: click, link: link), linkURL: .found(link: other), similarClicks: [similar(11, other, "b")])
        )
        #expect(decision.match?.link == link)
        #expect(decision.match?.isGuaranteed == true)
        #expect(decision.matcher == "link_click")
    }

    @Test func anUnknownClickIdLeavesTheChanceToTheRest() {
        let decision = AttributionPolicy.decide(Evidence(linkClick: .unknown, similarClicks: [similar(11, other, "b")]))
        #expect(decision.match?.link == other)
        #expect(decision.match?.isGuaranteed == false)
        #expect(decision.refusals.map(\.matcher) == ["link_click", "link_url", "browser"])
    }

    @Test func aLinkThatOpenedTheAppIsCertain() {
        let decision = AttributionPolicy.decide(Evidence(linkURL: .found(link: link), similarClicks: [similar(11, other, "b")]))
        #expect(decision.match == Match(link: link, click: nil, isGuaranteed: true, reason: "The app was opened by this link."))
    }

    @Test func aForeignURLEndsTheSearch() {
        let decision = AttributionPolicy.decide(Evidence(linkURL: .foreign, similarClicks: [similar(11, other, "b")]))
        #expect(decision.match == nil)
        #expect(decision.refusals.last?.matcher == "link_url")
    }

    @Test func ofClicksThatLeadToTheSameDataTheNewestIsTaken() {
        let decision = AttributionPolicy.decide(Evidence(similarClicks: [similar(12, link, "a"), similar(11, link, "a")]))
        #expect(decision.match?.click == Click.ID(rawValue: 12))
    }

    @Test func clicksThatLeadToDifferentDataAreATieAndRefused() {
        let decision = AttributionPolicy.decide(Evidence(similarClicks: [similar(12, link, "a"), similar(11, other, "b")]))
        #expect(decision.match == nil)
        #expect(decision.explanation.object?["outcome"] == "none")
        #expect(decision.explanation.object?["reason"]?.string?.contains("different data") == true)
    }

    @Test func withoutEvidenceThereIsNoMatchAndAReason() {
        for evidence in [Evidence(), Evidence(similarClicks: [])] {
            let decision = AttributionPolicy.decide(evidence)
            #expect(decision.match == nil)
            #expect(decision.refusals.count == 4)
        }
    }
}
