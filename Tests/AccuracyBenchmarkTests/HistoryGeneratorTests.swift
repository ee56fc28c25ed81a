import LindenKernel
import LinkRouting
import Testing

@testable import AccuracyBenchmark

@Suite struct HistoryGeneratorTests {
    private func history(_ mix: NetworkMix, seed: UInt64 = 1) -> History {
        HistoryGenerator.history(mix, people: 2000, seed: seed)
    }

    private func text(_ history: History) -> [String] { history.events.map { "\($0)" } }

    @Test func theSameSeedGivesTheSameHistory() {
        #expect(text(history(.mixed)) == text(history(.mixed)))
        #expect(text(history(.mixed)) != text(history(.mixed, seed: 2)))
    }

    @Test(arguments: NetworkMix.all.map(\.name))
    func whatLedToAnInstallIsAnEarlierClickOfThePersonsOwnOnTheSameApp(_ name: String) throws {
        let history = history(try #require(NetworkMix.all.first { $0.name == name }))
        let clicks = history.clicks
        var earlier = Set<Int>()
        var claimed = Set<Int>()
        for event in history.events {
            switch event {
            case .click(let click): earlier.insert(click.id)
            case .install(let install):
                #expect(
                    install.ownClicks.allSatisfy { earlier.contains($0) && clicks[$0].app == install.app && !clicks[$0].isRobot })
                #expect(Set(install.ownClicks.map { clicks[$0].content }).count <= 1)
                #expect(install.ownClicks == install.ownClicks.sorted(by: >))
                #expect(install.ownClicks.allSatisfy { claimed.insert($0).inserted })
            }
        }
        #expect(clicks.indices.allSatisfy { clicks[$0].id == $0 })
        #expect(history.events.map(\.time) == history.events.map(\.time).sorted())
    }

    @Test(arguments: NetworkMix.all.map(\.name))
    func threeOfFiveInstallsAreOrganicWhateverTheMix(_ name: String) throws {
        let installs = history(try #require(NetworkMix.all.first { $0.name == name })).installs
        let organic = Double(installs.filter { $0.truth == nil }.count) / Double(installs.count)
        #expect((0.35...0.75).contains(organic))
    }

    @Test func eachAssumptionChangesTheHistoryAndNothingElseNeedsToKnow() {
        let standard = text(HistoryGenerator.history(.mixed, people: 2000, seed: 1))
        for variant in Assumptions.standard.variants {
            let other = HistoryGenerator.history(.mixed, people: 2000, seed: 1, assumptions: variant.assumptions)
            let isOther = text(other) != standard
            #expect(isOther, "\(variant.name)")
        }
    }

    @Test func clicksOpeningsAndReportedTimesAreAsManyAsIsAssumed() throws {
        let assumptions = try Assumptions.with(["--idle", "4", "--known", "2", "--times", "0.5"])
        let history = HistoryGenerator.history(.home, people: 10_000, seed: 1, assumptions: assumptions)
        let installs = history.installs
        #expect(abs(Double(history.openings.count) / Double(installs.count) - 2) < 0.1)
        #expect(abs(Double(installs.count { $0.installedAgo != nil }) / Double(installs.count) - 0.5) < 0.03)
        #expect(history.openings.allSatisfy { $0.installedAgo == nil })
        let led = Set(history.openings.compactMap(\.truth) + installs.flatMap(\.ownClicks))
        let people = history.clicks.filter { !$0.isRobot && $0.network != .dataCentre }
        let idle = Double(people.count - led.count) / Double(installs.count { $0.truth != nil })
        #expect(abs(idle - 4) < 0.8)
    }

    @Test func anEnglishAppSaysEnglishOnEveryIPhoneWhateverItsLanguage() throws {
        let assumptions = try Assumptions.with(["--english", "--german"])
        let history = HistoryGenerator.history(.home, people: 1000, seed: 1, assumptions: assumptions)
        #expect(history.installs.allSatisfy { $0.os == .android || $0.language == "en" })
        #expect(history.clicks.count { $0.browser.language == "de" } > history.clicks.count / 3)
    }

    @Test func anAssumptionThatCannotBeIsRefused() {
        for arguments in [["--twins", "2"], ["--idle", "0"], ["--density", "0"], ["--known", "-1"]] {
            #expect(throws: (any Error).self) { try Assumptions.with(arguments) }
        }
    }

    @Test func eachMixHasTheNetworksItIsNamedFor() {
        func share(_ network: NetworkClass, _ mix: NetworkMix) -> Double {
            let clicks = history(mix).clicks.filter { !$0.isRobot && $0.network != .dataCentre }
            return Double(clicks.filter { $0.network == network }.count) / Double(clicks.count)
        }
        #expect(share(.home, .home) > 0.9)
        #expect(share(.office, .office) > 0.5)
        #expect(share(.cellular, .carrier) > 0.9)
        #expect(share(.relay, .relay) > 0.25)
        let travellers = history(.travel).installs.filter { $0.truth != nil }
        #expect(Double(travellers.filter { $0.network == .cellular }.count) > 0.5 * Double(travellers.count))
    }

    @Test func onlySafariGoesThroughTheRelayAndAppsNever() {
        let history = history(.relay)
        let relayed = history.clicks.filter { $0.network == .relay }
        let ranges = Figures.relayRanges.compactMap { Network($0) }
        #expect(relayed.allSatisfy { $0.browser.name == .safari })
        #expect(
            relayed.allSatisfy { click in
                ClientAddress(click.address.text).map { address in ranges.contains { $0.contains(address) } } == true
            })
        #expect(history.installs.allSatisfy { $0.network != .relay })
    }

    @Test func installsComeAsLateAsIsPublished() {
        let history = HistoryGenerator.history(.home, people: 20_000, seed: 1)
        let clicks = history.clicks
        let delays = history.installs.compactMap { install in
            install.truth.map { Double(install.time.milliseconds - clicks[$0].time.milliseconds) / 3_600_000 }
        }
        func share(within hours: Double) -> Double { Double(delays.filter { $0 <= hours }.count) / Double(delays.count) }
        #expect(abs(share(within: 1) - 0.75) < 0.03)
        #expect(abs(share(within: 24) - 0.94) < 0.03)
    }
}
