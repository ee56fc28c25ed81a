import Testing

@testable import LindenKernel
@testable import LindenReporting

@Suite struct RollupPlanTests {
    private static let hour = Timestamp.millisecondsPerHour

    private func time(_ start: Int64, _ end: Int64) -> Range<Timestamp> {
        Timestamp(milliseconds: start)..<Timestamp(milliseconds: end)
    }

    @Test func wholeDaysComeFirstThenHoursThenRows() {
        let cover = RollupPlan(time(Self.hour / 2, 50 * Self.hour + 1), units: [.day, .hour])
        #expect(cover.counters.map(\.unit) == [.hour, .day, .hour])
        #expect(cover.counters.map(\.hours) == [1..<24, 24..<48, 48..<50])
        #expect(cover.rest == [time(Self.hour / 2, Self.hour), time(50 * Self.hour, 50 * Self.hour + 1)])
    }

    @Test func whatHasNoWholeHourIsReadFromRows() {
        let cover = RollupPlan(time(10, Self.hour + 10), units: [.day, .hour])
        #expect(cover.counters.isEmpty)
        #expect(cover.rest == [time(10, Self.hour + 10)])
    }

    /// Property: the parts of any time range are disjoint, ordered and adjoining, and cover exactly the range.
    @Test func thePartsAddUp() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let start = Int64.random(in: -200 * Self.hour..<200 * Self.hour, using: &generator)
            let length = Int64.random(in: 1..<150 * Self.hour, using: &generator)
            let whole = time(start, start + length)
            let cover = RollupPlan(whole, units: Bool.random(using: &generator) ? [.day, .hour] : [.day])
            let counters = cover.counters.map { Timestamp(hour: $0.hours.lowerBound)..<Timestamp(hour: $0.hours.upperBound) }
            let parts = (counters + cover.rest).sorted { $0.lowerBound < $1.lowerBound }
            #expect(parts.first?.lowerBound == whole.lowerBound && parts.last?.upperBound == whole.upperBound)
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        }
    }
}
