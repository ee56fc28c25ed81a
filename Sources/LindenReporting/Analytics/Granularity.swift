import Foundation
import LindenKernel

/// The length of the periods into which a span is divided.
package enum Granularity: String, Sendable, CaseIterable {
    case hour, day, week, month
    /// One period for the whole span.
    case all

    package init(named name: String) throws {
        guard let granularity = Granularity(rawValue: name) else {
            let allowed = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure.invalid("\(name) is not a granularity. The granularities are \(allowed).", at: "granularity")
        }
        self = granularity
    }

    fileprivate var component: Calendar.Component? {
        switch self {
        case .hour: .hour
        case .day: .day
        case .week: .weekOfYear
        case .month: .month
        case .all: nil
        }
    }
}

/// A half-open time range with a time zone, which determines where days, weeks and months begin.
package struct AnalyticsSpan: Sendable, Equatable {
    package let start: Timestamp
    package let end: Timestamp
    package let zone: TimeZone

    package static let longestDays: Int64 = 731

    /// Returns the maximum length of a number of days in milliseconds, including the hour by which clocks may be set back.
    package static func longest(days: Int64) -> Int64 { days * Timestamp.millisecondsPerDay + Timestamp.millisecondsPerHour }

    /// Fails with `invalid` for a span that is empty, reversed or longer than ``longestDays`` days.
    package init(start: Timestamp, end: Timestamp, zone: TimeZone = .gmt) throws {
        guard start < end else { throw Failure.invalid("The span must end after it begins.", at: "from") }
        let length = end.milliseconds - start.milliseconds
        guard length <= Self.longest(days: Self.longestDays) else {
            throw Failure.invalid(
                "The span has \(length / Timestamp.millisecondsPerDay) days and may have at most \(Self.longestDays) days: "
                    + "let it begin later, or end earlier.", at: "from")
        }
        self.init(unchecked: start, end, zone)
    }

    private init(unchecked start: Timestamp, _ end: Timestamp, _ zone: TimeZone) {
        self.start = start
        self.end = end
        self.zone = zone
    }

    /// Reads the texts that ``DateRange`` reads, in the zone.
    ///
    /// - Parameter to: nil for the end of today, or for the end of a period that `from` names.
    package init(from: String, to: String? = nil, now: Timestamp, zone: TimeZone = .gmt) throws {
        let range = try DateRange(from: from, to: to, now: now, zone: zone)
        let today = try DateExpression("to", "today", now: now, zone: zone)
        try self.init(start: range.start ?? today.start, end: range.end ?? today.end, zone: zone)
    }

    /// Returns a zone by its name in the tz database; UTC for nil. Fails with `invalid` for an unknown name.
    package static func zone(named name: String?) throws -> TimeZone {
        guard let name else { return .gmt }
        guard isZoneName(name), let zone = TimeZone(identifier: name) else {
            throw Failure.invalid("timezone must be a name of the tz database, such as Europe/Berlin or UTC.")
        }
        return zone
    }

    /// The list of known identifiers is not complete: for example, it may lack `Asia/Kolkata`, which the tz database has.
    private static func isZoneName(_ name: String) -> Bool {
        name == "UTC" || TimeZone.knownTimeZoneIdentifiers.contains(name)
            || name.contains("/") && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/_+-".contains($0)) }
    }

    /// Returns the start of a date in a zone or, if `isLast`, of the day after it; or a time in ISO 8601, which is read in the zone unless
    /// it has an offset. Fails with `invalid` for any other text.
    package static func moment(_ name: String, _ text: String, _ zone: TimeZone, isLast: Bool) throws -> Timestamp {
        if let time = Timestamp(iso8601: text, zone: zone) { return time }
        let style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
        guard text.utf8.count == 10, let day = try? style.parse(text), day.formatted(style) == text,
            (0..<32_503_680_000).contains(day.timeIntervalSince1970)
        else {
            throw Failure.invalid("\(name) must be a date such as 2027-01-31 or a time such as 2027-01-31T18:00:00Z.")
        }
        let calendar = Calendar.isoWeeks(in: zone)
        let start = calendar.startOfDay(for: day)
        return Timestamp(isLast ? calendar.date(byAdding: .day, value: 1, to: start) ?? start : start)
    }

    /// Returns the periods of the span in order. The first and the last one may be partial.
    package func periods(_ granularity: Granularity) -> [AnalyticsSpan] {
        guard let component = granularity.component else { return [self] }
        let calendar = Calendar.isoWeeks(in: zone)
        var periods: [AnalyticsSpan] = []
        var from = start
        while from < end {
            let next = calendar.dateInterval(of: component, for: from.date).map { Timestamp($0.end) } ?? end
            let to = min(max(next, Timestamp(milliseconds: from.milliseconds + 1)), end)
            periods.append(AnalyticsSpan(unchecked: from, to, zone))
            from = to
        }
        return periods
    }

    /// Returns the part of the span before a moment; nil if it is empty.
    package func before(_ moment: Timestamp) -> AnalyticsSpan? {
        start < moment ? AnalyticsSpan(unchecked: start, min(end, moment), zone) : nil
    }

    /// The span of the same length that ends where this one begins: as many days, or for other spans as many milliseconds.
    package var previous: AnalyticsSpan {
        let calendar = Calendar.isoWeeks(in: zone)
        let days = calendar.dateComponents([.day], from: start.date, to: end.date).day ?? 0
        let isWholeDays = calendar.date(byAdding: .day, value: days, to: start.date) == end.date
        let first = isWholeDays ? calendar.date(byAdding: .day, value: -days, to: start.date).map { Timestamp($0) } : nil
        let length = end.milliseconds - start.milliseconds
        return AnalyticsSpan(unchecked: first ?? Timestamp(milliseconds: start.milliseconds - length), start, zone)
    }

    /// Returns the number of the day of a moment, counted since 1970 in the span's zone.
    package func day(of time: Timestamp) -> Int64 {
        Timestamp(milliseconds: time.milliseconds + Int64(zone.secondsFromGMT(for: time.date)) * 1000).day
    }

    /// Returns the hour of the day of a moment in the span's zone, from `00` to `23`.
    package func hourOfDay(of time: Timestamp) -> String {
        let local = Timestamp(milliseconds: time.milliseconds + Int64(zone.secondsFromGMT(for: time.date)) * 1000)
        return Self.hours[Int(local.hour - local.day * 24)]
    }

    private static let hours = (0..<24).map { String(String(100 + $0).dropFirst()) }

    /// Whether hours begin at the same moments as in UTC.
    var hasHoursOfUTC: Bool {
        let days = Array(stride(from: start.milliseconds, to: end.milliseconds, by: Int(Timestamp.millisecondsPerDay)))
        return (days + [end.milliseconds]).allSatisfy {
            zone.secondsFromGMT(for: Timestamp(milliseconds: $0).date) % 3600 == 0
        }
    }

    /// The start in the span's zone with its offset: `2027-01-31T00:00:00.000+01:00`.
    package var startText: String {
        let offset = zone.secondsFromGMT(for: start.date)
        let local = Timestamp(milliseconds: start.milliseconds + Int64(offset) * 1000).iso8601.dropLast()
        func twoDigits(_ number: Int) -> String { String(String(100 + number).dropFirst()) }
        let minutes = abs(offset) / 60
        return local + (offset < 0 ? "-" : "+") + twoDigits(minutes / 60) + ":" + twoDigits(minutes % 60)
    }

}
