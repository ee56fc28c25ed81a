import LindenReporting

/// The name of a stored cursor: a pass over a log. Its value is the last id that the pass has read.
struct AggregationCursor: Sendable {
    enum Pass: String, Sendable {
        /// The daily counters of links, and of objects for their clicks.
        case linkDays = "link_days"
        case rollups
        /// The device counts of completed days.
        case rollupDevices = "rollup_devices"
        /// The deletion of rows for their age.
        case pruned
        /// The pending clicks that were merged from a server's memory, see ``PendingClickIndex``.
        case pendingClicks = "pending_clicks"
    }

    let pass: Pass
    let log: ActivityLog

    init(_ pass: Pass, _ log: ActivityLog) {
        self.pass = pass
        self.log = log
    }
}

extension AggregationCursor: SQLEncodable {
    /// Such as `rollups.clicks`.
    var sqlValue: SQLValue { .text(pass.rawValue + "." + log.rawValue) }
}
