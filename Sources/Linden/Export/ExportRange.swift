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
    ///   - from: what ``DateRange`` reads; nil for the beginning of all.
    ///   - to: the same; nil for now, or for the end of a period that `from` names.
    ///   - names: what the two texts are called in messages.
    package init(
        from: String?, to: String?, now: Timestamp, zone: TimeZone = .gmt,
        names: (from: String, to: String) = (from: "from", to: "to")
    ) throws {
        let range = try DateRange(from: from, to: to, now: now, zone: zone, names: names)
        // Rows of this millisecond, too.
        try self.init(from: range.start ?? IDGenerator.epoch, to: range.end ?? now + .milliseconds(1))
    }

    /// All that there is and will be.
    static let all = ExportRange(IDGenerator.epoch, Timestamp(milliseconds: IDGenerator.epoch.milliseconds + (1 << 41) - 1))

    private init(_ from: Timestamp, _ to: Timestamp) {
        self.from = from
        self.to = to
    }

    /// A day in UTC.
    package init(day: String) throws {
        guard let first = Timestamp(day: day) else {
            throw Failure.invalid("export_date must be a day such as 2027-01-31.")
        }
        try self.init(from: first, to: first + .seconds(86400))
    }

    /// Reads `2027-01-31`, which as an end means the end of that day, `2027-01-31T18:00:00Z` with any zone, or the same without a zone.
    ///
    /// - Parameter zone: where days begin and end and where a time without a zone is.
    package static func moment(_ text: String, isEnd: Bool, zone: TimeZone = .gmt) throws -> Timestamp {
        if let day = Timestamp(day: text, in: zone) { return isEnd ? day.nextDay(in: zone) : day }
        if let time = Timestamp(iso8601: text, zone: zone) { return time }
        throw Failure.invalid(
            "\"\(text)\" is no time: it must be a day such as 2027-01-31 or a time in ISO 8601 such as 2027-01-31T18:00:00Z.")
    }
}

extension Timestamp {
    /// The same time of the next day; days where clocks change have 23 or 25 hours.
    fileprivate func nextDay(in zone: TimeZone) -> Timestamp {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        let next = Calendar.gregorian(in: zone).date(byAdding: .day, value: 1, to: date) ?? date + 86400
        return Timestamp(milliseconds: Int64(next.timeIntervalSince1970 * 1000))
    }
}
