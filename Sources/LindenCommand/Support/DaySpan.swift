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
            return try ObjectService.days(from: from, to: to, now: WallClock.system.now(), prefix: "--")
        } catch let failure as Failure {
            throw ValidationError(failure.message)
        }
    }
}
