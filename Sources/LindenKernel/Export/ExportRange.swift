import Foundation

/// A half-open range of time whose rows are exported.
package struct ExportRange: Sendable, Equatable {
    package let from: Timestamp
    package let to: Timestamp

    package init(from: Timestamp, to: Timestamp) throws {
        guard from < to else {
            throw Failure.invalid("The range ends before it begins: from must be before to.", at: "from", "start_date")
        }
        self.from = from
        self.to = to
    }

    /// - Parameters:
    ///   - from: a text that ``DateRange`` reads; nil for the beginning of all data.
    ///   - to: a text that ``DateRange`` reads; nil for now, or for the end of a period that `from` names.
    ///   - names: the names of the two texts in messages.
    package init(
        from: String?, to: String?, now: Timestamp, zone: TimeZone = .gmt,
        names: (from: String, to: String) = (from: "from", to: "to")
    ) throws {
        let range = try DateRange(from: from, to: to, now: now, zone: zone, names: names)
        // The range includes rows of the current millisecond.
        try self.init(from: range.start ?? IDGenerator.epoch, to: range.end ?? now + .milliseconds(1))
    }

    /// Returns the times between two texts as ``init(from:to:now:zone:names:)`` reads them; nil without either, so that nothing is
    /// restricted.
    package static func times(from: String?, to: String?, now: Timestamp) throws -> Range<Timestamp>? {
        guard from != nil || to != nil else { return nil }
        let range = try ExportRange(from: from, to: to, now: now)
        return range.from..<range.to
    }

    /// The range of all times that ids can represent.
    package static let all = ExportRange(IDGenerator.epoch, Timestamp(milliseconds: IDGenerator.epoch.milliseconds + (1 << 41) - 1))

    private init(_ from: Timestamp, _ to: Timestamp) {
        self.from = from
        self.to = to
    }

    /// Creates the range of a day in UTC. Fails with `invalid` for any other text.
    package init(day: String) throws {
        guard let first = Timestamp(day: day) else {
            throw Failure.invalid("export_date must be a day such as 2027-01-31.")
        }
        try self.init(from: first, to: first + .seconds(86400))
    }

    /// Reads a date such as `2027-01-31`, which as an end means the end of that day, or a time such as `2027-01-31T18:00:00Z`, with or
    /// without a zone. Fails with `invalid` for any other text.
    ///
    /// - Parameter zone: the zone of dates, and of times without a zone.
    package static func moment(_ text: String, isEnd: Bool, zone: TimeZone = .gmt) throws -> Timestamp {
        if let day = Timestamp(day: text, in: zone) { return isEnd ? day.nextDay(in: zone) : day }
        if let time = Timestamp(iso8601: text, zone: zone) { return time }
        throw Failure.invalid(
            "\"\(text)\" is not a time: it must be a day such as 2027-01-31 or a time in ISO 8601 such as 2027-01-31T18:00:00Z.")
    }
}

extension Timestamp {
    /// Returns the same time on the next day; a day on which clocks change has 23 or 25 hours.
    fileprivate func nextDay(in zone: TimeZone) -> Timestamp {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        let next = Calendar.gregorian(in: zone).date(byAdding: .day, value: 1, to: date) ?? date + 86400
        return Timestamp(milliseconds: Int64(next.timeIntervalSince1970 * 1000))
    }
}
