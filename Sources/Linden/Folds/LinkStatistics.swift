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
}

package protocol LinkStatisticsReader {
    /// Returns the all-time totals: the daily counters plus the rows after the aggregation cursor, so always up to date.
    func statistics(of link: Link.ID) throws -> LinkStatistics
    /// Whether there are rows before `horizon` that are not aggregated yet.
    func hasUncountedRows(before horizon: Timestamp) throws -> Bool
}

package protocol LinkStatisticsRepository: LinkStatisticsReader {
    /// Adds the oldest rows before `horizon` that are not aggregated yet to the daily counters, at most `limit` of each kind.
    ///
    /// - Returns: the id of the last row that was aggregated; nil if there was none.
    func countRows(before horizon: Timestamp, limit: Int) throws -> Int64?
}
