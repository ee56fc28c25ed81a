/// What came of a link.
package struct LinkStatistics: Sendable, Equatable {
    /// People's clicks.
    package var clicks: Int64
    /// Visits by machines, which are no clicks.
    package var robots: Int64
    /// Sessions that were given to the link, installs among them.
    package var sessions: Int64
    /// Of devices that did not have the app before.
    package var installs: Int64

    package init(clicks: Int64 = 0, robots: Int64 = 0, sessions: Int64 = 0, installs: Int64 = 0) {
        self.clicks = clicks
        self.robots = robots
        self.sessions = sessions
        self.installs = installs
    }
}

package protocol LinkStatisticsReader {
    /// All-time figures: the daily counters and the rows that no fold has counted yet, so always up to date.
    func statistics(of link: Link.ID) throws -> LinkStatistics
    /// Whether rows older than `horizon` wait to be counted.
    func hasUncountedRows(before horizon: Timestamp) throws -> Bool
}

package protocol LinkStatisticsRepository: LinkStatisticsReader {
    /// Adds the oldest uncounted rows before `horizon` to the daily counters, at most `limit` of each kind.
    ///
    /// - Returns: the last id that was counted; nil if there was nothing to count.
    func countRows(before horizon: Timestamp, limit: Int) throws -> Int64?
}
