import LindenKernel
import LindenReporting
import Testing

@testable import Dashboard

/// The figures of the overview, as values.
@Suite struct OverviewTests {
    private static func figures(
        _ period: OverviewPeriod, _ daily: [OverviewMeasure: (before: Int128, now: Int128)]
    ) -> OverviewFigures {
        var values: [OverviewMeasure: [Int128]] = [:]
        for measure in OverviewMeasure.allCases {
            let (before, now) = daily[measure] ?? (0, 0)
            values[measure] = Array(repeating: before, count: period.days) + Array(repeating: now, count: period.days)
        }
        return OverviewFigures(
            period: period, dates: Array(repeating: "2027-01-31", count: 2 * period.days), daily: values, tops: [:])
    }

    @Test func ninetyDaysAreDrawnByWeeksThatEndToday() {
        let figures = Self.figures(.quarter, [.clicks: (1, 2)])
        let steps = figures.steps(of: figures.current)
        #expect(steps.count == 13 && steps.first == 90..<96 && steps.last == 173..<180)
        #expect(steps.map { figures.amount(.clicks, on: $0).drawn } == [12] + Array(repeating: 14, count: 12))
        #expect(figures.steps(of: figures.previous).first == 0..<6)
        #expect(Self.figures(.week, [:]).steps(of: 7..<14) == (7..<14).map { $0..<$0 + 1 })
    }

    @Test func todayIsComparedWithYesterdayUntilTheSameHour() {
        var figures = OverviewFigures(
            period: .day, dates: (0..<48).map { "hour \($0)" },
            daily: [.clicks: Array(repeating: 2, count: 24) + Array(repeating: 3, count: 24)], tops: [:])
        figures.hours = 9
        #expect(figures.current == 24..<33 && figures.previous == 0..<9 && figures.wholePrevious == 0..<24)
        #expect(figures.amount(.clicks, on: figures.current).text == "27" && figures.change(.clicks) == "+50 %")
    }

    @Test func theVisitsOfRobotsAreThoseOfTheSameHours() {
        let now = Timestamp(hour: 500_000 * 24 + 8) + .seconds(60)
        let (today, hour) = (now.day * 24, now.hour)
        #expect(OverviewPeriod.day.hours(at: now) == [today..<hour + 1, today - 24..<hour - 23])
        #expect(OverviewPeriod.week.hours(at: now) == [today - 144..<today + 24, today - 312..<today - 144])
    }

    @Test func revenueIsWrittenWithHundredthsAndDrawnInWholeUnits() {
        let figures = Self.figures(.month, [.revenue: (0, 1_234_567_890)])
        #expect(figures.amount(.revenue, on: figures.current) == .init(drawn: 37_037, text: "37,037.03"))
        #expect(figures.change(.revenue) == "none before")
    }

    @Test func theMatchedShareIsThatOfAllInstallsOfTheTime() {
        let figures = Self.figures(.week, [.installs: (4, 3), .matched: (1, 2)])
        #expect(figures.amount(.matched, on: figures.current) == .init(drawn: 67, text: "67 %"))
        #expect(figures.change(.matched) == "25 % before")
        let none = Self.figures(.week, [.clicks: (1, 1)])
        #expect(none.amount(.matched, on: none.current).text == "none" && none.change(.matched) == nil)
    }

    @Test func anAddressWithAnotherTimeMeansThirtyDays() {
        #expect(OverviewPeriod(named: "7d") == .week && OverviewPeriod(named: "") == .month && OverviewPeriod(named: "x") == .month)
        #expect(OverviewPeriod(named: "today") == .day && OverviewPeriod(named: "today", among: OverviewPeriod.ofDays) == .month)
    }
}
