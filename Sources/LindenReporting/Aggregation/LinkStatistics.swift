import Linden
import LindenKernel

/// The totals of a link.
package struct LinkStatistics: Sendable, Equatable {
    /// Clicks by people.
    package var clicks: Int64
    /// Visits by bots, which are not clicks.
    package var robots: Int64
    /// Sessions attributed to the link, including installs.
    package var sessions: Int64
    /// Installs on devices that did not have the app before.
    package var installs: Int64

    package init(clicks: Int64 = 0, robots: Int64 = 0, sessions: Int64 = 0, installs: Int64 = 0) {
        self.clicks = clicks
        self.robots = robots
        self.sessions = sessions
        self.installs = installs
    }

    package static func += (left: inout LinkStatistics, right: LinkStatistics) {
        left.clicks += right.clicks
        left.robots += right.robots
        left.sessions += right.sessions
        left.installs += right.installs
    }
}

package protocol LinkStatisticsReader {
    /// Returns the all-time totals: the daily counters plus the rows after the aggregation cursor, so always up to date.
    func statistics(of link: Link.ID) throws -> LinkStatistics
    /// Returns the totals of each link on each day in UTC, counted since 1970, that has any; up to date as well.
    func dailyStatistics(of links: [Link.ID], on days: ClosedRange<Int64>) throws -> [LinkCountBatch.LinkDay: LinkStatistics]
    /// Returns the visits of robots to an app's links in a range of hours, counted since 1970 in UTC; up to date as well.
    func robotVisits(of scope: Scope, hours: Range<Int64>) throws -> Int64
    /// Counts the oldest rows of a log, clicks or sessions, that are before `watermark` and not in the daily counters yet; nil if there
    /// are none.
    func nextLinkCounts(of log: ActivityLog, before watermark: Timestamp, limit: CountingLimit) throws -> LinkCountBatch?
}

package protocol LinkStatisticsRepository: LinkStatisticsReader {
    /// Adds a batch to the daily counters. Does nothing if its rows were counted or changed since it was read, and returns false.
    @discardableResult
    func add(_ batch: LinkCountBatch) throws -> Bool
}
