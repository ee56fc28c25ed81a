import Foundation
import Testing

@testable import AccuracyBenchmark

@Suite struct ConfusionTests {
    /// Gives each install what the test says.
    private struct Scripted: Attributor {
        let name = "scripted"
        var answers: [Int?]

        mutating func click(_ click: SimulatedClick) {}

        mutating func install(_ install: SimulatedInstall) -> Attribution? {
            answers.removeFirst().map { Attribution(click: $0, link: 1, score: 1) }
        }
    }

    private let clicks: [SimulatedClick] = [
        Sample.click(0, link: 1), Sample.click(1, link: 1), Sample.click(2, link: 1), Sample.click(3, link: 2),
    ]

    private func confusion(_ answers: [(own: [Int], given: Int?)]) -> Confusion {
        let installs = answers.map { History.Event.install(Sample.install(ownClicks: $0.own)) }
        let history = History(mix: .home, events: clicks.map { .click($0) } + installs)
        return Tally(of: history, by: Scripted(answers: answers.map(\.given))).installs
    }

    @Test func countsEachWayOfBeingRightAndWrong() {
        let confusion = confusion([
            (own: [1, 0], given: 1), (own: [1, 0], given: 0), (own: [0], given: 2), (own: [0], given: 3), (own: [0], given: nil),
            (own: [], given: 3), (own: [], given: nil), (own: [], given: nil),
        ])
        #expect(
            confusion == Confusion(right: 2, sameData: 1, wrong: 1, organicGiven: 1, missed: 1, organic: 2))
        #expect(confusion.installs == 8)
        #expect(confusion.precision == 2.0 / 5)
        #expect(confusion.recall == 2.0 / 5)
        #expect(confusion.falseMatchShare == 3.0 / 8)
    }

    @Test func installsLaterOpeningsAndWhatNamesItsClickAreCountedApart() {
        struct Newest: Attributor {
            let name = "newest"
            mutating func click(_ click: SimulatedClick) {}
            mutating func install(_ install: SimulatedInstall) -> Attribution? { Attribution(click: 3, link: 2, score: 75) }
            mutating func opening(_ opening: SimulatedInstall) -> Attribution? { install(opening) }
        }
        let openings = [
            Sample.install(ownClicks: [3]), Sample.install(), Sample.install(ownClicks: [3], isKnown: true),
            Sample.install(opening: .click(3), ownClicks: [3], isKnown: true), Sample.install(opening: .click(3), ownClicks: [3]),
        ]
        let history = History(mix: .home, events: clicks.map { .click($0) } + openings.map { .install($0) })
        let tally = Tally(of: history, by: Newest())
        #expect(tally.installs == Confusion(right: 1, organicGiven: 1))
        #expect(tally.openings == Confusion(right: 1))
        #expect(tally.named == Confusion(right: 2))
        #expect(tally.bands == [70: .init(right: 1, falseMatches: 1)])
        #expect((tally + tally).installs == Confusion(right: 2, organicGiven: 2))
    }

    /// Wilson's interval, as tables give it.
    @Test func aFewErrorsLeaveAWideInterval() {
        #expect(Interval(1, of: 1000).percent == "0.02–0.56 %")
        #expect(Interval(0, of: 0).percent == "0.00–100.00 %")
        #expect(Goal("false", 1, of: 10_000, atMost: 0.001).verdict == .reached)
        #expect(Goal("false", 1, of: 1000, atMost: 0.001).verdict == .likely)
        #expect(Goal("false", 5, of: 1000, atMost: 0.001).verdict == .notReached)
        #expect(Goal("found", 38, of: 100, atLeast: 0.37).verdict == .likely)
    }

    @Test func theReportHoldsLindenAgainstEachPublishedRuleAndEachGoal() async {
        let report = await AccuracyReport([.home, .office], .init(people: 1000, seed: 1, hasCurves: true)) { _ in }
        #expect(report.contests.count == 2 * Contender.baselines.count && Contender.baselines.count == 6)
        #expect(report.goals.map(\.name).contains("false matches, office"))
        for mix in report.mixes {
            for result in mix.results { #expect(result.tally.installs.installs == mix.installs) }
            let ownCurve = mix.results.first { $0.attributor.hasPrefix("b") }?.curve.keys.sorted()
            #expect(ownCurve == [40, 50, 60, 70, 80, 90, 100])
        }
        #expect(report.text.contains("precision of later openings"))
    }

    @Test func severalHistoriesAreAddedUp() async {
        let first = await AccuracyReport([.home], .init(people: 1000, seed: 5)) { _ in }
        let second = await AccuracyReport([.home], .init(people: 1000, seed: 6)) { _ in }
        let both = await AccuracyReport([.home], .init(people: 1000, seed: 5, histories: 2)) { _ in }
        #expect(both.mixes[0].installs == first.mixes[0].installs + second.mixes[0].installs)
        #expect(both.mixes[0].results[0].tally == first.mixes[0].results[0].tally + second.mixes[0].results[0].tally)
    }

    @Test func theReportIsTheSameInEveryRun() async throws {
        func report() async throws -> Data { try await AccuracyReport([.office], .init(people: 1000, seed: 5)) { _ in }.json }
        let (first, second) = (try await report(), try await report())
        #expect(first == second)
        #expect(String(decoding: first, as: UTF8.self).contains("\"organic_given\""))
    }
}
