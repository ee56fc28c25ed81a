/// A day in UTC, written `2027-01-31`.
package struct Day: Sendable {
    /// Days since 1970-01-01.
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }

    /// Parses a date; nil if there is no such day.
    package init?(_ text: String) {
        guard let time = Timestamp(day: text) else { return nil }
        number = time.day
    }

    /// Parses a date or a period of one day such as `yesterday`. Fails with `invalid`, naming the option, for longer periods.
    package init(named text: String, option: String) throws {
        let day = try DateExpression(option, text, now: WallClock.system.now(), allowsTime: false)
        guard day.end.milliseconds - day.start.milliseconds == Timestamp.millisecondsPerDay else {
            throw Failure.invalid("\(option) must be one day such as 2027-01-31 or yesterday, not \(text).")
        }
        number = day.start.day
    }

    package var text: String { String(Timestamp(milliseconds: number * Timestamp.millisecondsPerDay).iso8601.prefix(10)) }
}
