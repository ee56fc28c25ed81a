import Linden
import LindenKernel
import Testing

/// The effect on the decision of the installation time, the frequencies of traits and other devices of the same kind.
@Suite struct InstallTimeTests {
    private static let screen = Screen(width: 390, height: 844)

    /// An iPhone and its click of a minute ago; tests change the parts they need.
    private static func fingerprintSignals(
        age: Int64 = 60, version: String? = "18.5", screen: Screen? = screen, language: String? = "de",
        _ change: (inout Evidence.FingerprintSignals) -> Void = { _ in }
    ) -> Evidence.FingerprintSignals {
        var fingerprintSignals = Evidence.FingerprintSignals(
            traits: .init(os: "iOS", osVersion: "18.5", model: "iPhone14,5", screen: Self.screen, language: "de"),
            density: .init(alike: 0),
            clicks: [
                .init(
                    click: Click.ID(rawValue: 9), link: Link.ID(rawValue: 1), content: "a", age: age, window: 7200,
                    traits: .init(os: "iOS", osVersion: version, screen: screen, language: language))
            ])
        change(&fingerprintSignals)
        return fingerprintSignals
    }

    private static func decide(_ fingerprintSignals: Evidence.FingerprintSignals) -> AttributionDecision {
        AttributionPolicy.decide(Evidence(fingerprintSignals: fingerprintSignals))
    }

    @Test func theUsualInstallIsMatched() {
        #expect(Self.decide(Self.fingerprintSignals()).match != nil)
    }

    @Test func aClickAfterTheInstallationIsNotItsCause() {
        let decision = Self.decide(Self.fingerprintSignals { $0.installedAgo = 70 })
        #expect(decision.match == nil && decision.refusal == .otherDevice)
        // A few seconds are tolerated for differences of clocks and network delays.
        #expect(Self.decide(Self.fingerprintSignals { $0.installedAgo = 64 }).match != nil)
    }

    @Test func anAppThatIsOpenedLateIsJudgedByTheTimeOfItsInstallation() {
        #expect(Self.decide(Self.fingerprintSignals(age: 6000)).match == nil)
        #expect(Self.decide(Self.fingerprintSignals(age: 6000) { $0.installedAgo = 5950 }).match != nil)
    }

    @Test func theFallbackLanguageOfTheAppDisagreesWithNothing() {
        func decide(_ own: String, _ browser: String, _ known: [String]) -> AttributionDecision {
            Self.decide(
                Self.fingerprintSignals(language: browser) {
                    $0.traits.language = own
                    $0.appLanguages = known
                })
        }
        func points(_ decision: AttributionDecision) -> Int? {
            decision.candidates[0].candidate.signals.first { $0.name == "language" }?.points
        }
        #expect(points(decide("en", "de", ["en"])) == AttributionRules.standard.fallbackLanguage)
        #expect(decide("en", "de", ["en"]).match != nil && decide("en", "de", ["en", "de"]).match == nil)
        // The app is localized in German, so a device that reports English is another one.
        #expect(points(decide("en", "de", ["en", "de"])) == AttributionRules.standard.otherLanguage)
        // Not the fallback language.
        #expect(points(decide("fr", "de", ["en", "fr"])) == AttributionRules.standard.otherLanguage)
        // The app's languages are not yet known.
        #expect(points(decide("en", "de", [])) == AttributionRules.standard.otherLanguageUnlearned)
    }

    @Test func agreementOnARareTraitSaysMoreThanOnACommonOne() {
        func points(_ share: Int64) -> Int {
            let commonness = Evidence.Commonness(osVersion: share, model: share, screen: share)
            return Self.decide(Self.fingerprintSignals { $0.commonness = commonness }).candidates[0].candidate.points
        }
        #expect(points(1) > points(900))
        let shares = [0, 1, 5, 20, 50, 100, 200, 500, 1000].map { points(Int64($0)) }
        #expect(shares == shares.sorted(by: >))
    }

    // MARK: Errors of earlier rules

    @Test func anIPv6NetworkAloneIsNoEvidenceForAnHourAndFifty() {
        let decision = Self.decide(Self.fingerprintSignals(age: 6600, version: nil, screen: nil) { $0.isIPv6 = true })
        #expect(decision.match == nil && decision.refusal == .unlikely)
    }

    /// Tests with and without another device at home.
    @Test(arguments: [0, 1]) func aTwinPhoneInAnotherLanguageIsAHousemates(others: Int64) {
        for isIPv6 in [true, false] {
            let decision = Self.decide(
                Self.fingerprintSignals(language: "fr") {
                    $0.isIPv6 = isIPv6
                    $0.density = .init(devices: others, alike: others)
                })
            #expect(decision.match == nil, "\(decision.reason)")
        }
    }

    @Test func companyPhonesBehindOneOfficeAddressAreNotDistinguished() {
        let decision = Self.decide(
            Self.fingerprintSignals(age: 240) {
                $0.density = .init(devices: 9, clicks: 3, alike: 5)
                $0.commonness = .init(osVersion: 400, model: 60, screen: 150)
            })
        #expect(decision.match == nil)
    }

    @Test func aPhoneThatHadTheAppForMonthsTakesNoClickOfMinutesAgo() {
        let decision = Self.decide(Self.fingerprintSignals(age: 180) { $0.isKnownDevice = true })
        #expect(decision.match == nil && decision.refusal == .tooLate)
        #expect(decision.reason.contains("had the app before"))
    }

    // MARK: Repeated decisions

    @Test func evidenceOfEarlierRulesIsDecidedAsItWasThen() throws {
        // Without the members that were added since.
        let kept = """
            {"fingerprint": {"traits": {"os": "iOS", "os_version": "18.5"}, "density": {"devices": 0, "clicks": 0}, "ipv6": true,
             "clicks": [{"click": 9, "link": 1, "content": "0", "age": 6600, "window": 7200, "traits": {"os": "iOS"}}]}}
            """
        let old = try #require(Evidence(json: JSON.parse(kept)))
        let decision = AttributionPolicy.decide(old)
        #expect(decision.match?.click == Click.ID(rawValue: 9) && decision.ruleVersion == 5)
        // An operator's own rules apply to all evidence.
        var own = AttributionRules.standard
        own.version = 1000
        #expect(AttributionPolicy.decide(old, own).match == nil)
    }

    @Test func keptEvidenceGivesTheSameDecision() throws {
        let evidence = Evidence(
            fingerprintSignals: Self.fingerprintSignals {
                $0.installedAgo = 30
                $0.isKnownDevice = true
                $0.commonness = .init(osVersion: 3, screen: 0)
                $0.appLanguages = ["en", "de"]
                $0.density = .init(devices: 2, clicks: 1, alike: 2, isShared: "listed")
            })
        let read = try #require(Evidence(json: JSON.parse(evidence.json.text)))
        #expect(read == evidence)
        #expect(AttributionPolicy.decide(read) == AttributionPolicy.decide(evidence))
    }
}
