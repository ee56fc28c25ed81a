import Testing

@testable import AccuracyBenchmark

@Suite struct LindenAttributorTests {
    private let linden = LindenAttributor()

    @Test func findsAClickOfTheSameAddressAndSystemWithinTwoHoursOnce() {
        let home = "2001:db8::1"
        let click = Sample.click(1, address: home)
        // Installed at once, and opened much later.
        let late = Sample.install(minute: 119, address: home, installedAgo: .minutes(118))
        #expect(linden.given([click], [late, late]) == [1, nil])
        #expect(linden.given([click], Sample.install(minute: 119, address: home)) == nil)
        #expect(linden.given([click], Sample.install(minute: 120, address: home, installedAgo: .minutes(119))) == nil)
        #expect(linden.given([Sample.click(1)], Sample.install(address: "198.51.100.7")) == nil)
        #expect(linden.given([Sample.click(1, app: 1)], Sample.install(app: 0)) == nil)
    }

    @Test func refusesATieBetweenDifferentLinks() {
        #expect(linden.given([Sample.click(1, link: 1), Sample.click(2, link: 2)], Sample.install()) == nil)
        #expect(linden.given([Sample.click(1, link: 1), Sample.click(2, link: 1)], Sample.install()) == 2)
    }

    @Test func anOpeningThatNamesItsClickOrLinkIsGivenToIt() {
        var attributor = linden
        attributor.click(Sample.click(1, link: 1))
        attributor.click(Sample.click(2, link: 2))
        #expect(attributor.install(Sample.install(opening: .click(1))) == Attribution(click: 1, link: 1, score: 1))
        #expect(attributor.install(Sample.install(opening: .link(7))) == Attribution(click: nil, link: 7, score: 1))
        #expect(attributor.install(Sample.install(opening: .link(1_000_007))) == nil)
        #expect(attributor.install(Sample.install(opening: .foreignURL)) == nil)
    }

    @Test func onDeterministicPathsNothingGoesWrong() async {
        let report = await AccuracyReport([], .init(people: 10_000, seed: 3)) { _ in }
        #expect(report.deterministic.installs > 100 && report.deterministic.openings > 100)
        #expect(report.isDeterministicPathExact)
    }
}
