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
        return Confusion(of: history, by: Scripted(answers: answers.map(\.given)))
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

    @Test func theGoalIsTheBestOfTheBaselinesThatAreSafe() {
        let history = HistoryGenerator.history(.home, people: 3000, seed: 1)
        let report = MixReport(of: history, by: Contender.all)
        let goal = Goal(report)
        let safe = report.results.filter { $0.attributor != "linden" && $0.falseMatches <= 0.005 }
        #expect(goal.baselineRecall == safe.map(\.recall).max())
        for result in report.results { #expect(result.confusion.installs == report.installs) }
        #expect(report.results.first { $0.attributor.hasPrefix("b") }?.curve.map(\.threshold) == [40, 50, 60, 70, 80, 90, 100])
    }

    @Test func theReportIsTheSameInEveryRun() async throws {
        func report() async throws -> Data { try await AccuracyReport([.office], people: 1000, seed: 5) { _ in }.json }
        let (first, second) = (try await report(), try await report())
        #expect(first == second)
        #expect(String(decoding: first, as: UTF8.self).contains("\"organic_given\""))
    }
}
