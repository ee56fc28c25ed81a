import Testing

@testable import AccuracyBenchmark

private let elsewhere = "198.51.100.7"
private let inParis = Sample.phone(Sample.iPhone.make, language: "fr-FR", timeZone: "Europe/Paris")

@Suite struct ExactBaselineTests {
    private let baseline = ExactBaseline()

    @Test func takesTheOneClickOfAddressSystemAndBrowserWithinFiveMinutes() {
        #expect(baseline.given([Sample.click(1)], Sample.install(minute: 5)) == 1)
        #expect(baseline.given([Sample.click(1)], Sample.install(minute: 5.1)) == nil)
        #expect(baseline.given([Sample.click(1)], Sample.install(address: elsewhere)) == nil)
        let older = Sample.phone(PhoneMake(model: Sample.iPhone.make.model, osVersion: "17.6.1", apiLevel: nil))
        #expect(baseline.given([Sample.click(1, phone: older)], Sample.install()) == nil)
    }

    @Test func ofSeveralItTakesTheOneThatScreenTimeZoneAndLanguageTellApart() {
        #expect(baseline.given([Sample.click(1), Sample.click(2, phone: Sample.otherIPhone)], Sample.install()) == 1)
        #expect(baseline.given([Sample.click(1), Sample.click(2)], Sample.install()) == nil)
    }

    @Test func givesAClickAwayOnce() {
        #expect(baseline.given([Sample.click(1)], [Sample.install(), Sample.install(minute: 2)]) == [1, nil])
    }
}

@Suite struct AllClicksBaselineTests {
    private let baseline = AllClicksBaseline(threshold: 70)

    @Test func scoresBlockPlatformTimeZoneLanguageAndScreen() {
        // 40 for the block and 30 for the platform are enough.
        #expect(baseline.given([Sample.click(1, address: "192.0.2.99", phone: inParis)], Sample.install()) == 1)
        // 30 and 10 each for the rest are not.
        #expect(baseline.given([Sample.click(1, address: elsewhere)], Sample.install()) == nil)
        #expect(AllClicksBaseline(threshold: 60).given([Sample.click(1, address: elsewhere)], Sample.install()) == 1)
    }

    @Test func looksAtOtherAppsClicksToo() {
        #expect(baseline.given([Sample.click(1, app: 2)], Sample.install(app: 0)) == 1)
    }

    @Test func takesTheBestThenTheNewestWithinSevenDays() {
        let clicks = [Sample.click(1), Sample.click(2), Sample.click(3, phone: inParis)]
        #expect(baseline.given(clicks, Sample.install()) == 2)
        #expect(baseline.given([Sample.click(1)], Sample.install(minute: 7 * 24 * 60)) == 1)
        #expect(baseline.given([Sample.click(1)], Sample.install(minute: 7 * 24 * 60 + 1)) == nil)
    }

    @Test func forgetsAllButTheNewestThousand() {
        let others = (2...1001).map { Sample.click($0, address: elsewhere) }
        #expect(baseline.given([Sample.click(1)] + others.dropLast(), Sample.install()) == 1)
        #expect(baseline.given([Sample.click(1)] + others, Sample.install()) == nil)
    }

    @Test func givesOneClickToAnyNumberOfInstalls() {
        #expect(baseline.given([Sample.click(1)], [Sample.install(), Sample.install(minute: 2)]) == [1, 1])
    }
}

@Suite struct AddressBaselineTests {
    private let baseline = AddressBaseline()

    @Test func takesTheNewestClickOfAddressAndAppWithinAnHourWhateverThePhone() {
        let clicks = [Sample.click(1), Sample.click(2, minute: 1, phone: inParis), Sample.click(3, minute: 2, app: 1)]
        #expect(baseline.given(clicks, Sample.install(minute: 61)) == 2)
        #expect(baseline.given(clicks, Sample.install(minute: 62)) == nil)
        #expect(baseline.given(clicks, Sample.install(minute: 3, address: elsewhere)) == nil)
    }

    @Test func comparesIPv6ByTheNetworkOfAHome() {
        let click = Sample.click(1, address: "2001:db8:1:2:a::1")
        #expect(baseline.given([click], Sample.install(address: "2001:db8:1:2:b::2")) == 1)
        #expect(baseline.given([click], Sample.install(address: "2001:db8:1:3:a::1")) == nil)
    }
}

@Suite struct NoAddressBaselineTests {
    private let baseline = NoAddressBaseline(threshold: 0.5)

    @Test func scoresWhatTheDeviceTellsAndNoAddress() {
        // Time zone, screen, language and user agent make .85; Safari keeps the model to itself.
        var attributor: any Attributor = baseline
        attributor.click(Sample.click(1, address: elsewhere))
        #expect(attributor.install(Sample.install())?.score == 0.85)
        // Without the time zone, and in another language, .30 remain.
        #expect(baseline.given([Sample.click(1, phone: inParis)], Sample.install()) == nil)
        #expect(NoAddressBaseline(threshold: 0.3).given([Sample.click(1, phone: inParis)], Sample.install()) == 1)
    }

    @Test func looksAtTheNewestFiftyWithinTwoDays() {
        let others = (2...51).map { Sample.click($0, phone: inParis) }
        #expect(baseline.given([Sample.click(1)] + others.dropLast(), Sample.install()) == 1)
        #expect(baseline.given([Sample.click(1)] + others, Sample.install()) == nil)
        #expect(baseline.given([Sample.click(1)], Sample.install(minute: 48 * 60)) == 1)
        #expect(baseline.given([Sample.click(1)], Sample.install(minute: 48 * 60 + 1)) == nil)
    }

    @Test func takesTheBestThenTheNewestAndEachOnce() {
        let clicks = [Sample.click(1), Sample.click(2), Sample.click(3, phone: Sample.otherIPhone)]
        #expect(
            baseline.given(clicks, [Sample.install(), Sample.install(), Sample.install(), Sample.install()]) == [2, 1, 3, nil])
    }
}

@Suite struct PointsBaselineTests {
    private let baseline = PointsBaseline(threshold: 800)

    @Test func addressAndUserAgentAreEnoughAndSoIsAllButTheAddress() {
        #expect(baseline.given([Sample.click(1, phone: inParis)], Sample.install()) == 1)
        #expect(baseline.given([Sample.click(1, address: elsewhere)], Sample.install()) == 1)
        #expect(baseline.given([Sample.click(1, address: elsewhere, phone: inParis)], Sample.install()) == nil)
        #expect(PointsBaseline(threshold: 801).given([Sample.click(1, address: elsewhere)], Sample.install()) == nil)
    }

    @Test func takesTheBestWithinFifteenMinutesOnce() {
        let clicks = [Sample.click(1), Sample.click(2, address: elsewhere)]
        #expect(
            baseline.given(clicks, [Sample.install(minute: 15), Sample.install(minute: 15), Sample.install(minute: 15)]) == [
                1, 2, nil,
            ])
        #expect(baseline.given([Sample.click(1)], Sample.install(minute: 15.1)) == nil)
    }
}

@Suite struct AgentAndScreenBaselineTests {
    private let baseline = AgentAndScreenBaseline()

    @Test func takesTheNewestClickOfAddressUserAgentAndScreenWithinFifteenMinutesOnce() {
        let clicks = [Sample.click(1), Sample.click(2, phone: inParis), Sample.click(3, phone: Sample.otherIPhone)]
        let late = Sample.install(minute: 15)
        #expect(baseline.given(clicks, [late, late, late]) == [2, 1, nil])
        #expect(baseline.given([Sample.click(1)], Sample.install(minute: 15.1)) == nil)
        #expect(baseline.given([Sample.click(1, address: elsewhere)], Sample.install()) == nil)
    }
}

@Suite struct RobotTests {
    @Test(arguments: Contender.all.map(\.name)) func aRobotsClickIsNotMatched(_ name: String) throws {
        let attributor = try #require(Contender.all.first { $0.name == name }).attributor()
        let robot = SimulatedClick(
            id: 1, time: Timetable.start, app: 0, link: 1, content: "1?", address: SimulatedAddress("192.0.2.1"),
            browser: RobotAgents.report(RobotAgents.onPhones[0]), isRobot: true, network: .home)
        let ahead = SimulatedClick(
            id: 2, time: Timetable.start, app: 0, link: 1, content: "1?", address: SimulatedAddress("192.0.2.1"),
            browser: Sample.click(2).browser, isRobot: true, isPrefetch: true, network: .home)
        #expect(attributor.given([robot, ahead], Sample.install()) == nil)
    }
}
