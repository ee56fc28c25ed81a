import ArgumentParser
import Linden
import LindenKernel
import LindenServices

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
