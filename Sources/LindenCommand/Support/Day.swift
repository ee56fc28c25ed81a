import ArgumentParser
import Linden

/// A day of UTC as people write it: `2027-01-31`.
struct Day {
    /// Days since 1970-01-01.
    let number: Int64

    init(number: Int64) {
        self.number = number
    }

    /// Nil if there is no such day.
    init?(_ text: String) {
        guard let time = Timestamp(day: text) else { return nil }
        number = time.day
    }

    var text: String { String(Timestamp(milliseconds: number * Timestamp.millisecondsPerDay).iso8601.prefix(10)) }
}

/// Whole days on the command line; all of them if none are named.
struct DaySpan: ParsableArguments {
    @Option(help: ArgumentHelp("The first day (UTC), such as 2027-01-31.", valueName: "date"))
    var from: String?
    @Option(help: ArgumentHelp("The last day (UTC), with all of it.", valueName: "date"))
    var to: String?

    func validate() throws { _ = try days() }

    func days() throws -> ClosedRange<Int64> {
        let first = try from.map { try day("--from", $0).number } ?? ObjectService.always.lowerBound
        let last = try to.map { try day("--to", $0).number } ?? ObjectService.always.upperBound
        guard first <= last else { throw ValidationError("--from \(from ?? "") is after --to \(to ?? "").") }
        return first...last
    }

    private func day(_ flag: String, _ text: String) throws -> Day {
        guard let day = Day(text) else { throw ValidationError("\(flag) must be a day such as 2027-01-31, not \"\(text)\".") }
        return day
    }
}
