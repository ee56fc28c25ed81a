import Foundation

/// A day, a time or a named period, as accepted by options and parameters such as `from`: `2027-01-31`, `2027-01-31T18:00:00Z`,
/// `yesterday`, `7d`, `last-month`.
package struct DateExpression: Sendable, Equatable {
    package enum Kind: Sendable {
        case day
        /// A point in time: start and end are equal.
        case time
        /// A named period relative to today.
        case period
        /// A number of days that ends with today.
        case countedDays
    }

    package let kind: Kind
    package let start: Timestamp
    /// The end, exclusive; for ``Kind/time`` the time itself.
    package let end: Timestamp

    /// The names of periods, for help and error messages.
    package static let names =
        "today, yesterday, 7d (or another number of days up to today, at most \(mostDays)), this-week, last-week, this-month, last-month, "
        + "this-year, last-year"

    private static let mostDays = 731

    /// - Parameters:
    ///   - name: the name of the parameter, for error messages.
    ///   - zone: the zone of days, and of times without their own.
    ///   - allowsTime: whether a time is allowed.
    /// - Throws: `invalid` for any other text.
    package init(_ name: String, _ text: String, now: Timestamp, zone: TimeZone = .gmt, allowsTime: Bool = true) throws {
        let calendar = Calendar.isoWeeks(in: zone)
        if let day = Timestamp(day: text, in: zone) {
            self.init(.day, calendar.days(1, from: day.date))
        } else if allowsTime, let time = Timestamp(iso8601: text, zone: zone) {
            self.init(kind: .time, start: time, end: time)
        } else if let period = calendar.period(named: text, now: now.date) {
            self.init(.period, period)
        } else if let match = text.wholeMatch(of: /([0-9]{1,3})d/), let count = Int(match.1), (1...Self.mostDays).contains(count) {
            let first = calendar.date(byAdding: .day, value: 1 - count, to: now.date) ?? now.date
            self.init(.countedDays, calendar.days(count, from: first))
        } else {
            let form = allowsTime ? "a date such as 2027-01-31, a time such as 2027-01-31T18:00:00Z," : "a day such as 2027-01-31"
            throw Failure.invalid("\(name) must be \(form) or one of \(Self.names); not \"\(text)\".")
        }
    }

    private init(_ kind: Kind, _ interval: Range<Date>) {
        self.init(kind: kind, start: Timestamp(interval.lowerBound), end: Timestamp(interval.upperBound))
    }

    private init(kind: Kind, start: Timestamp, end: Timestamp) {
        self.kind = kind
        self.start = start
        self.end = end
    }
}

/// The time range that `from` and `to` define. A day or period in `to` is included completely.
package struct DateRange: Sendable, Equatable {
    /// Nil without `from`.
    package let start: Timestamp?
    /// Nil without `to`, unless `from` is a named period, which then ends the range too.
    package let end: Timestamp?

    /// - Parameter prefix: the prefix of `from` and `to` in error messages.
    /// - Throws: `invalid` for texts that ``DateExpression`` rejects, and for a number of days in `to`.
    package init(
        from: String?, to: String?, now: Timestamp, zone: TimeZone = .gmt, allowsTime: Bool = true, prefix: String = ""
    ) throws {
        try self.init(
            from: from, to: to, now: now, zone: zone, allowsTime: allowsTime, names: (from: prefix + "from", to: prefix + "to"))
    }

    /// - Parameter names: the names of the two parameters in error messages.
    package init(
        from: String?, to: String?, now: Timestamp, zone: TimeZone = .gmt, allowsTime: Bool = true,
        names: (from: String, to: String)
    ) throws {
        let first = try from.map { try DateExpression(names.from, $0, now: now, zone: zone, allowsTime: allowsTime) }
        let last = try to.map { try DateExpression(names.to, $0, now: now, zone: zone, allowsTime: allowsTime) }
        if let to, last?.kind == .countedDays {
            throw Failure.invalid(
                "\(names.to) must name where the range ends; \(to) is the days up to today and belongs in \(names.from).")
        }
        start = first?.start
        end = last?.end ?? (first?.kind == .period || first?.kind == .countedDays ? first?.end : nil)
    }
}

extension Calendar {
    /// A calendar whose weeks begin on Monday (ISO 8601).
    package static func isoWeeks(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        return calendar
    }

    /// Returns a number of days from the start of `day` on. Days with a clock change have 23 or 25 hours.
    fileprivate func days(_ count: Int, from day: Date) -> Range<Date> {
        let start = startOfDay(for: day)
        return start..<(date(byAdding: .day, value: count, to: start) ?? start)
    }

    /// Returns a period of whole days. A current period ends with today.
    fileprivate func period(named name: String, now: Date) -> Range<Date>? {
        let today = days(1, from: now)
        switch name {
        case "today": return today
        case "yesterday": return days(1, from: date(byAdding: .day, value: -1, to: today.lowerBound) ?? today.lowerBound)
        default: break
        }
        let words = name.split(separator: "-", maxSplits: 1)
        guard words.count == 2, let component = Self.components[String(words[1])],
            let current = dateInterval(of: component, for: now)
        else { return nil }
        switch words[0] {
        case "this": return current.start..<today.upperBound
        case "last":
            let lastDay = date(byAdding: .day, value: -1, to: current.start) ?? current.start
            return dateInterval(of: component, for: lastDay).map { $0.start..<current.start }
        default: return nil
        }
    }

    private static let components: [String: Component] = ["week": .weekOfYear, "month": .month, "year": .year]
}

extension Timestamp {
    package init(_ date: Date) {
        self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }

    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
