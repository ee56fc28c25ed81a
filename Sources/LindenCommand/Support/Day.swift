import ArgumentParser
import Linden

/// A day in UTC, written `2027-01-31`.
struct Day {
    /// Days since 1970-01-01.
    let number: Int64

    init(number: Int64) {
        self.number = number
    }

    /// Parses a date; nil if there is no such day.
    init?(_ text: String) {
        guard let time = Timestamp(day: text) else { return nil }
        number = time.day
    }

    /// Parses a date or a period of one day such as `yesterday`. Fails with `invalid`, naming the option, for longer periods.
    init(named text: String, option: String) throws {
        let day = try DateExpression(option, text, now: WallClock.system.now(), allowsTime: false)
        guard day.end.milliseconds - day.start.milliseconds == Timestamp.millisecondsPerDay else {
            throw Failure.invalid("\(option) must be one day such as 2027-01-31 or yesterday, not \(text).")
        }
        number = day.start.day
    }

    var text: String { String(Timestamp(milliseconds: number * Timestamp.millisecondsPerDay).iso8601.prefix(10)) }
}

/// A range of whole days in UTC as options; without any, all days.
struct DaySpan: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The first day (UTC), such as 2027-01-31, or a period such as yesterday, 30d or last-month.", valueName: "date"))
    var from: String?
    @Option(help: ArgumentHelp("The last day (UTC, inclusive), or a period.", valueName: "date"))
    var to: String?

    func validate() throws { _ = try days() }

    func days() throws -> ClosedRange<Int64> {
        do {
            let range = try DateRange(from: from, to: to, now: WallClock.system.now(), allowsTime: false, prefix: "--")
            let first = range.start?.day ?? ObjectService.always.lowerBound
            let last = range.end.map { $0.day - 1 } ?? ObjectService.always.upperBound
            guard first <= last else { throw ValidationError("--from \(from ?? "") is after --to \(to ?? "").") }
            return first...last
        } catch let failure as Failure {
            throw ValidationError(failure.message)
        }
    }
}
