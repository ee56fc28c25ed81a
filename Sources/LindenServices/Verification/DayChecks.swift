import Linden
import LindenKernel

/// The consistency checks of the daily counters of links and of content against the rows of one day.
enum DayChecks {
    /// - Parameter day: days since 1970 in UTC; nil for today, as far as it is counted.
    static func all(day: Int64?) -> [Check] {
        [
            Check("days.links", "The counters of each link are its rows of the day, and deleted sessions, if all clicks are there.")
            {
                try $0.wrongLinkDays(on: day ?? $0.now.day, limit: CheckResult.mostProblems)
            },
            Check(
                "days.objects", "The clicks of each content are those of its links, if none changed since; no counter is negative."
            ) {
                try $0.wrongObjectDays(on: day ?? $0.now.day, limit: CheckResult.mostProblems)
            },
        ]
    }
}

package protocol DayAuditReader {
    /// Leaves out a log whose rows of the day were deleted for their age.
    func wrongLinkDays(on day: Int64, limit: Int) throws -> CheckResult
    /// Compares no clicks of an app and mode with a link that changed on the day or later: it may have been about other content. Views,
    /// shares and purchases are not compared, since only the body of an event names its content.
    func wrongObjectDays(on day: Int64, limit: Int) throws -> CheckResult
}
