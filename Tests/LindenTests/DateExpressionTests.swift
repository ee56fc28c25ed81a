import Foundation
import LindenKernel
import LindenReporting
import Testing

/// The values of `from` and `to`, evaluated at half past midnight on a Wednesday in Berlin, when it is still Tuesday in UTC.
@Suite struct DateExpressionTests {
    private static let now = Timestamp(iso8601: "2027-03-30T22:30:00Z")!

    private static func range(_ from: String?, _ to: String? = nil, _ zone: String = "UTC") throws -> [String?] {
        let range = try DateRange(from: from, to: to, now: now, zone: try AnalyticsSpan.zone(named: zone))
        return [range.start?.iso8601, range.end?.iso8601].map { $0.map { String($0.prefix(16)) } }
    }

    private static let periods: [(text: String, zone: String, start: String, end: String)] = [
        ("today", "UTC", "2027-03-30T00:00", "2027-03-31T00:00"), ("yesterday", "UTC", "2027-03-29T00:00", "2027-03-30T00:00"),
        ("1d", "UTC", "2027-03-30T00:00", "2027-03-31T00:00"), ("7d", "UTC", "2027-03-24T00:00", "2027-03-31T00:00"),
        ("30d", "UTC", "2027-03-01T00:00", "2027-03-31T00:00"), ("731d", "UTC", "2025-03-30T00:00", "2027-03-31T00:00"),
        ("this-week", "UTC", "2027-03-29T00:00", "2027-03-31T00:00"), ("last-week", "UTC", "2027-03-22T00:00", "2027-03-29T00:00"),
        ("this-month", "UTC", "2027-03-01T00:00", "2027-03-31T00:00"),
        ("last-month", "UTC", "2027-02-01T00:00", "2027-03-01T00:00"),
        ("this-year", "UTC", "2027-01-01T00:00", "2027-03-31T00:00"), ("last-year", "UTC", "2026-01-01T00:00", "2027-01-01T00:00"),
        // Daylight saving time began on the 28th: that day has 23 hours, and since then days begin two hours before UTC's.
        ("today", "Europe/Berlin", "2027-03-30T22:00", "2027-03-31T22:00"),
        ("yesterday", "Europe/Berlin", "2027-03-29T22:00", "2027-03-30T22:00"),
        ("4d", "Europe/Berlin", "2027-03-27T23:00", "2027-03-31T22:00"),
        ("last-month", "Europe/Berlin", "2027-01-31T23:00", "2027-02-28T23:00"),
        ("this-month", "America/Los_Angeles", "2027-03-01T08:00", "2027-03-31T07:00"),
        ("2027-03-28", "Europe/Berlin", "2027-03-27T23:00", "2027-03-28T22:00"),
        ("2027-03-28T12:00:00", "Europe/Berlin", "2027-03-28T10:00", "2027-03-28T10:00"),
        ("2027-03-28T12:00:00Z", "Europe/Berlin", "2027-03-28T12:00", "2027-03-28T12:00"),
    ]

    @Test(arguments: periods)
    func aPeriodIsThatOfTheZoneAskedFor(text: String, zone: String, start: String, end: String) throws {
        #expect(try Self.range(text, nil, zone).first == start)
        let period = try DateExpression("from", text, now: Self.now, zone: try AnalyticsSpan.zone(named: zone))
        #expect(period.end.iso8601.prefix(16) == end)
    }

    @Test func aPeriodInFromEndsTheRangeUnlessToDoes() throws {
        #expect(try Self.range("last-month") == ["2027-02-01T00:00", "2027-03-01T00:00"])
        #expect(try Self.range("last-month", "last-week") == ["2027-02-01T00:00", "2027-03-29T00:00"])
        #expect(try Self.range("7d") == ["2027-03-24T00:00", "2027-03-31T00:00"])
        #expect(try Self.range("30d", "yesterday") == ["2027-03-01T00:00", "2027-03-30T00:00"])
        #expect(try Self.range("2027-03-01") == ["2027-03-01T00:00", nil])
        #expect(try Self.range(nil, "2027-03-01") == [nil, "2027-03-02T00:00"])
        #expect(try Self.range("2027-03-01T10:00:00Z", "2027-03-01T12:00:00Z") == ["2027-03-01T10:00", "2027-03-01T12:00"])
        let span = try AnalyticsSpan(from: "2027-03-01", now: Self.now)
        #expect(span.end.iso8601 == "2027-03-31T00:00:00.000Z")
    }

    @Test(arguments: [
        "", "tomorrow", "0d", "732d", "1000d", "d", "-7d", "7D", "this-day", "last", "this-", "Last-Month", "2027-02-30",
    ])
    func anyOtherTextIsRefusedWithWhatIsAllowed(text: String) {
        let failure = #expect(throws: Failure.self) { try Self.range(text) }
        #expect(failure?.message.contains("from must be a date such as 2027-01-31") == true)
        #expect(failure?.message.contains("last-month") == true && failure?.message.contains("\"\(text)\"") == true)
    }

    @Test func aNumberOfDaysSaysNotWhereARangeEnds() {
        let failure = #expect(throws: Failure.self) { try Self.range("30d", "7d") }
        #expect(failure?.message.contains("7d") == true)
    }
}
