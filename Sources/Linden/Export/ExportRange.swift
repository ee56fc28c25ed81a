import Foundation

/// A stretch of time whose rows are exported: from a moment up to, but without, another.
package struct ExportRange: Sendable, Equatable {
    package let from: Timestamp
    package let to: Timestamp

    package init(from: Timestamp, to: Timestamp) throws {
        guard from < to else { throw Failure.invalid("The range ends before it begins: from must be before to.") }
        self.from = from
        self.to = to
    }

    /// - Parameters:
    ///   - from: a day or a time as ``moment(_:isEnd:zone:)`` reads it; nil for the beginning of all.
    ///   - to: the same, a day with all of it; nil for now.
    package init(from: String?, to: String?, now: Timestamp, zone: TimeZone = .gmt) throws {
        try self.init(
            from: try from.map { try Self.moment($0, isEnd: false, zone: zone) } ?? IDGenerator.epoch,
            // Rows of this millisecond, too.
            to: try to.map { try Self.moment($0, isEnd: true, zone: zone) } ?? now + .milliseconds(1))
    }

    /// All that there is and will be.
    static let all = ExportRange(IDGenerator.epoch, Timestamp(milliseconds: IDGenerator.epoch.milliseconds + (1 << 41) - 1))

    private init(_ from: Timestamp, _ to: Timestamp) {
        self.from = from
        self.to = to
    }

    /// A day in UTC.
    package init(day: String) throws {
        guard let first = Self.day(day, zone: .gmt) else {
            throw Failure.invalid("export_date must be a day such as 2027-01-31.")
        }
        try self.init(from: first, to: first + .seconds(86400))
    }

    /// Reads `2027-01-31`, which as an end means the end of that day, `2027-01-31T18:00:00Z` with any zone, or the same without a zone.
    ///
    /// - Parameter zone: where days begin and end and where a time without a zone is.
    package static func moment(_ text: String, isEnd: Bool, zone: TimeZone = .gmt) throws -> Timestamp {
        if let day = day(text, zone: zone) { return isEnd ? day.nextDay(in: zone) : day }
        if hasTimeOfDay(text) {
            if let time = Timestamp(iso8601: text) { return time }
            var style = Date.ISO8601FormatStyle(timeZone: zone).year().month().day().time(includingFractionalSeconds: false)
            style.timeZone = zone
            let date = try? style.parse(text.replacing(" ", with: "T"))
            if let date, (0..<32_503_680_000).contains(date.timeIntervalSince1970) {
                return Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
            }
        }
        throw Failure.invalid(
            "\"\(text)\" is no time: it must be a day such as 2027-01-31 or a time in ISO 8601 such as 2027-01-31T18:00:00Z.")
    }

    /// Foundation would take the 25th hour for the first of the next day.
    private static func hasTimeOfDay(_ text: String) -> Bool {
        text.contains(/[T ]([01][0-9]|2[0-3]):[0-5][0-9](:([0-5][0-9]|60))?/)
    }

    private static func day(_ text: String, zone: TimeZone) -> Timestamp? {
        guard let match = text.wholeMatch(of: /(\d{4})-(\d{2})-(\d{2})/), let year = Int(match.1), let month = Int(match.2),
            let day = Int(match.3)
        else { return nil }
        let components = DateComponents(calendar: calendar(zone), year: year, month: month, day: day)
        guard (1970..<3000).contains(year), components.isValidDate, let date = components.date else { return nil }
        return Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000))
    }

    fileprivate static func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}

extension Timestamp {
    /// The same time of the next day; days where clocks change have 23 or 25 hours.
    fileprivate func nextDay(in zone: TimeZone) -> Timestamp {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        let next = ExportRange.calendar(zone).date(byAdding: .day, value: 1, to: date) ?? date + 86400
        return Timestamp(milliseconds: Int64(next.timeIntervalSince1970 * 1000))
    }
}
