import Linden
import LindenKernel
import Testing

/// Decisions by fingerprints, and repeated decisions. Its sample evidence serves other suites too.
@Suite struct AttributionPolicyTests {
    static let link = Link.ID(rawValue: 1)
    static let other = Link.ID(rawValue: 2)
    static let click = Click.ID(rawValue: 10)
    static let phone = Evidence.Traits(os: "iOS", osVersion: "17.5.1", language: "de")

    static let screen = Screen(width: 390, height: 844)
    static let phoneWithScreen = Evidence.Traits(os: "iOS", osVersion: "17.5.1", screen: screen, language: "de")

    static func named(age: Int64 = 60, window: Int64 = 2_592_000) -> Evidence.DeterministicClick {
        .init(click: click, link: link, age: age, window: window)
    }

    static func similar(
        _ click: Int64, _ link: Link.ID = link, content: String = "a", age: Int64 = 60, window: Int64 = 7200,
        version: String? = "17.5.1", model: String? = nil, screen: Screen? = nil, language: String? = nil,
        isClaimed: Bool = false, isAlive: Bool = true
    ) -> Evidence.SimilarClick {
        .init(
            click: Click.ID(rawValue: click), link: link, content: content, age: age, window: window,
            traits: .init(os: "iOS", osVersion: version, model: model, screen: screen, language: language), isClaimed: isClaimed,
            isAlive: isAlive)
    }

    static func fingerprintSignals(
        _ clicks: [Evidence.SimilarClick], density: Evidence.AddressDensity = .init(), traits: Evidence.Traits = phone
    )
        -> Evidence
    {
        Evidence(fingerprintSignals: .init(traits: traits, density: density, clicks: clicks))
    }

    @Test func ofClicksThatLeadToTheSameDataTheNewestIsTaken() {
        let decision = AttributionPolicy.decide(Self.fingerprintSignals([Self.similar(12), Self.similar(11)]))
        #expect(decision.match?.click == Click.ID(rawValue: 12))
        #expect(decision.candidates.map(\.candidate.hasWon) == [true, false])
        #expect(decision.candidates[1].candidate.reason.contains("newer click"))
    }

    @Test func clicksThatLeadToDifferentDataAreATieAndRefused() {
        let decision = AttributionPolicy.decide(
            Self.fingerprintSignals([Self.similar(12), Self.similar(11, Self.other, content: "b")]))
        #expect(decision.match == nil)
        #expect(decision.outcome == .refused)
        #expect(decision.reason.contains("different data"))
    }

    @Test(arguments: [
        (similar(11, version: "17.4"), "another version"), (similar(11, age: 7260), "the link's window is 2 hours"),
        (similar(11, isClaimed: true), "given to another installation"), (similar(11, isAlive: false), "link is gone"),
    ])
    func aClickIsExcludedAndSaysWhy(click: Evidence.SimilarClick, reason: String) {
        let decision = AttributionPolicy.decide(Self.fingerprintSignals([click]))
        #expect(decision.match == nil)
        #expect(decision.reason.contains(reason), "\(decision.reason)")
        // An excluded click is not a competitor of another one either.
        #expect(
            AttributionPolicy.decide(Self.fingerprintSignals([click, Self.similar(9, Self.other, content: "b")])).match?.link
                == Self.other)
    }

    @Test func anotherModelIsAnotherDevice() {
        var traits = Self.phone
        traits.model = "iPhone16,1"
        #expect(
            AttributionPolicy.decide(Self.fingerprintSignals([Self.similar(11, model: "iPhone14,5")], traits: traits)).match == nil)
        #expect(
            AttributionPolicy.decide(Self.fingerprintSignals([Self.similar(11, model: "iPhone16,1")], traits: traits)).match != nil)
    }

    @Test func whatOneSideDoesNotSayNeitherHelpsNorHurts() {
        let silent = AttributionPolicy.decide(
            Self.fingerprintSignals([Self.similar(11)], traits: .init(os: "iOS", osVersion: "17.5.1")))
        let reported = AttributionPolicy.decide(Self.fingerprintSignals([Self.similar(11)]))
        #expect(silent.match == reported.match)
        #expect(silent.candidates[0].candidate.points == reported.candidates[0].candidate.points)
    }

    @Test func theFrozenVersionOfSafariLeavesOutTheLastPart() {
        let traits = Evidence.Traits(os: "iOS", osVersion: "26.2.1")
        #expect(AttributionPolicy.decide(Self.fingerprintSignals([Self.similar(11, version: "26.2")], traits: traits)).match != nil)
        #expect(AttributionPolicy.decide(Self.fingerprintSignals([Self.similar(11, version: "26.1")], traits: traits)).match == nil)
        #expect(AttributionPolicy.decide(Self.fingerprintSignals([Self.similar(11, version: "26")], traits: traits)).match == nil)
    }

    @Test func anAddressOfHighDensityNeedsMoreSimilarity() {
        func decide(_ age: Int64, _ screen: Screen?, behind density: Evidence.AddressDensity) -> AttributionDecision {
            AttributionPolicy.decide(
                Self.fingerprintSignals(
                    [Self.similar(11, age: age, screen: screen)], density: density, traits: Self.phoneWithScreen))
        }
        let alone = Evidence.AddressDensity()
        let few = Evidence.AddressDensity(devices: 2, clicks: 1)
        let many = Evidence.AddressDensity(devices: 20)
        #expect(decide(60, nil, behind: alone).match != nil && decide(60, nil, behind: few).match == nil)
        #expect(decide(60, Self.screen, behind: few).match != nil)
        #expect(decide(900, Self.screen, behind: alone).match == nil)
        let refused = decide(60, Self.screen, behind: many)
        #expect(refused.match == nil)
        #expect(refused.reason.contains("points"))
    }

    @Test func anotherScreenIsAnotherDevice() {
        let other = Screen(width: 430, height: 932)
        for (screen, matches) in [(Self.screen, true), (Screen(width: 391, height: 844), true), (nil, true), (other, false)] {
            let decision = AttributionPolicy.decide(
                Self.fingerprintSignals([Self.similar(11, screen: screen)], traits: Self.phoneWithScreen))
            #expect((decision.match != nil) == matches)
        }
    }

    /// The SDK's measure leaves out the navigation bar: 1080 by 2201 pixels of 2340.
    @Test func onAndroidTheShorterSideOfTheScreenSpeaksAlone() {
        func decide(_ screen: Screen?) -> Match? {
            let traits = Evidence.Traits(
                os: "Android", osVersion: "14", screen: Screen(pixelWidth: 1080, pixelHeight: 2201, scale: 2.75))
            let click = Evidence.SimilarClick(
                click: Self.click, link: Self.link, content: "0", age: 60, window: 7200,
                traits: .init(os: "Android", osVersion: "14", screen: screen))
            return AttributionPolicy.decide(Self.fingerprintSignals([click], traits: traits)).match
        }
        #expect(decide(Screen(width: 393, height: 851)) != nil)
        #expect(decide(Screen(width: 412, height: 915)) == nil)
    }

    @Test func withMoreClicksThanWereComparedNoneIsMatched() {
        var evidence = Self.fingerprintSignals([Self.similar(11)])
        evidence.fingerprintSignals?.isCut = true
        let decision = AttributionPolicy.decide(evidence)
        #expect(decision.match == nil && decision.reason.contains("more than 1 click"))
    }

    @Test(
        arguments: [
            (0, "less than a second"), (1, "1 second"), (60, "1 minute"), (7200, "2 hours"), (9660, "2 hours 41 minutes"),
            (90_000, "1 day 1 hour"), (86_405, "1 day"),
        ] as [(Int64, String)])
    func aMissedWindowIsReportedToTheMinute(age: Int64, words: String) {
        let decision = AttributionPolicy.decide(Evidence(linkClick: .found(Self.named(age: age, window: 0))))
        #expect(decision.reason.contains("But that was \(words) ago"))
    }

    @Test func anIPv6NetworkOfOneHomeSaysMoreThanAnAddressThatAnybodyMayShare() {
        func points(_ density: Evidence.AddressDensity, isIPv6: Bool) -> Int {
            var evidence = Self.fingerprintSignals([Self.similar(11)], density: density)
            evidence.fingerprintSignals?.isIPv6 = isIPv6
            return AttributionPolicy.decide(evidence).candidates[0].candidate.points
        }
        #expect(points(.init(), isIPv6: true) > points(.init(), isIPv6: false))
        #expect(points(.init(devices: 3), isIPv6: true) == points(.init(devices: 3), isIPv6: false))
    }

    @Test func aLongerWindowGivesMoreTime() {
        let traits = Self.phoneWithScreen
        for (window, matches) in [(7200, false), (86_400, true)] as [(Int64, Bool)] {
            let click = Self.similar(11, age: 5000, window: window, screen: Self.screen)
            #expect((AttributionPolicy.decide(Self.fingerprintSignals([click], traits: traits)).match != nil) == matches)
        }
    }

    /// A click that scores far better than the others is not a tie.
    @Test func theOneThatIsFarAheadOfTheOthersWins() {
        let far = Self.similar(11, age: 3000)
        let near = Self.similar(12, Self.other, content: "b", screen: Self.screen)
        let decision = AttributionPolicy.decide(Self.fingerprintSignals([far, near], traits: Self.phoneWithScreen))
        #expect(decision.match?.link == Self.other)
        let close = Self.similar(11, age: 500)
        #expect(AttributionPolicy.decide(Self.fingerprintSignals([close, near], traits: Self.phoneWithScreen)).match == nil)
    }

    @Test func aClickFromAnAddressKnownToBeSharedNeedsAHigherScore() {
        let shared = Evidence.AddressDensity(isShared: "listed")
        #expect(AttributionPolicy.decide(Self.fingerprintSignals([Self.similar(11, age: 900)], density: shared)).match == nil)
    }

    @Test func anotherLanguageSpeaksAgainstAClick() {
        let decision = AttributionPolicy.decide(Self.fingerprintSignals([Self.similar(11, age: 900, language: "fr")]))
        #expect(decision.match == nil)
    }

    @Test func theOrderOfTheRowsChangesNothing() {
        let clicks = [Self.similar(12, content: "a"), Self.similar(11, isClaimed: true), Self.similar(10, version: nil)]
        let decision = AttributionPolicy.decide(Self.fingerprintSignals(clicks))
        #expect(AttributionPolicy.decide(Self.fingerprintSignals(clicks.reversed())).match?.link == decision.match?.link)
    }

    @Test func withoutEvidenceItIsOrganicAndSaysWhy() {
        for evidence in [Evidence(), Self.fingerprintSignals([])] {
            let decision = AttributionPolicy.decide(evidence)
            #expect(decision.match == nil)
            #expect(decision.outcome == .organic)
            #expect(decision.answers.count == 6)
        }
    }

    /// Evidence that was written and read back gives the same decision.
    @Test func keptEvidenceGivesTheSameDecision() throws {
        var likely = Self.fingerprintSignals(
            [
                Self.similar(12, model: "iPhone16,1", screen: Self.screen, language: "de"),
                Self.similar(11, Self.other, content: "b?x=1", isClaimed: true),
            ],
            density: .init(devices: 3, clicks: 1, isShared: "owner"))
        likely.linkClick = .unknown
        likely.fingerprintSignals?.isIPv6 = true
        likely.fingerprintSignals?.isCut = true
        likely.mayBeReferred = false
        for evidence in [
            Evidence(), Evidence(linkClick: .found(Self.named())), Evidence(linkClick: .usedUp), Evidence(linkURL: .foreign),
            Evidence(linkURL: .found(link: Self.link)), Evidence(linkURL: .ended),
            Evidence(browserClick: Self.named(), deviceClick: Self.named(age: 5)), likely, Self.fingerprintSignals([]),
        ] {
            let read = try #require(Evidence(json: JSON.parse(evidence.json.text)))
            #expect(read == evidence)
            #expect(AttributionPolicy.decide(read) == AttributionPolicy.decide(evidence))
        }
    }

    @Test(arguments: [
        "1", #"{"link_click":{"click":1}}"#, #"{"link_click":"lost"}"#, #"{"link_url":"lost"}"#, #"{"link_url":{}}"#,
        #"{"browser":{"click":1}}"#, #"{"device_id":"1"}"#, #"{"search_ad":{"labels":{}}}"#, #"{"search_ad":null}"#,
        #"{"fingerprint":{"clicks":[]}}"#, #"{"fingerprint":{"traits":{"os":"iOS"},"clicks":[{}]}}"#,
        #"{"fingerprint":{"traits":{"os":"iOS","screen":"large"},"clicks":[]}}"#,
        #"{"fingerprint":{"traits":{"os":"iOS"},"clicks":[],"app_languages":[1]}}"#, #"{"referrable":"no"}"#,
    ])
    func evidenceWithAMalformedPartIsRejected(text: String) throws {
        #expect(Evidence(json: try JSON.parse(text)) == nil)
    }
}
