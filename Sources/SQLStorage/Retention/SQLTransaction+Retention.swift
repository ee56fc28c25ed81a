import Linden
import LindenKernel
import LindenReporting
import LindenServices

extension SQLTransaction {
    package func outdatedRows(of log: Retention.Log, before time: Timestamp) throws -> Int {
        let bound = try outdated(log, before: time)
        return try connection.first("SELECT COUNT(*) FROM \(raw: log.table) WHERE id < \(bound)") { Int($0.integer(0)) } ?? 0
    }

    package func nextOutdatedRows(of log: Retention.Log, before time: Timestamp) throws -> OutdatedRows? {
        let bound = try outdated(log, before: time)
        var rows = OutdatedRows()
        try connection.read("SELECT id, \(raw: log.length) FROM \(raw: log.table) WHERE id < \(bound) ORDER BY id") {
            rows.append($0.integer(0), bytes: Int($0.integer(1)))
        }
        return rows.count > 0 ? rows : nil
    }

    package func remove(_ rows: OutdatedRows, of log: Retention.Log) throws {
        if log == .events {
            let events: [Event.ID] = try connection.query(
                "SELECT id FROM events WHERE id <= \(rows.last) AND transaction_id IS NOT NULL"
            ) { $0.id(0) }
            try events.forEach(deleteTransaction)
        }
        try connection.execute("DELETE FROM \(raw: log.table) WHERE id <= \(rows.last)")
        try setCursor(.pruned, log.activities, through: rows.last)
    }

    package func hasOrders(before time: Timestamp) throws -> Bool {
        let first = IDGenerator.first(at: time)
        return try connection.hasRows("SELECT 1 FROM export_jobs WHERE id < \(first) LIMIT 1")
            || connection.hasRows("SELECT 1 FROM report_jobs WHERE id < \(first) LIMIT 1")
    }

    /// The first id to keep: rows below it are outdated and counted by every aggregate of the log.
    private func outdated(_ log: Retention.Log, before time: Timestamp) throws -> Int64 {
        try log.passes.map { try cursor($0, log.activities) + 1 }.reduce(IDGenerator.first(at: time), min)
    }
}

extension Retention.Log {
    fileprivate var activities: ActivityLog {
        switch self {
        case .clicks: .clicks
        case .sessions: .sessions
        case .events: .events
        }
    }

    fileprivate var table: StaticString {
        switch self {
        case .clicks: "clicks"
        case .sessions: "sessions"
        case .events: "events"
        }
    }

    /// The length of a row's texts.
    fileprivate var length: StaticString {
        switch self {
        case .clicks: "COALESCE(LENGTH(query), 0)"
        case .sessions: "LENGTH(data) + LENGTH(explanation) + COALESCE(LENGTH(evidence), 0)"
        case .events: "LENGTH(body)"
        }
    }

    /// The aggregations that must have counted a row before it may be deleted.
    fileprivate var passes: [AggregationCursor.Pass] {
        switch self {
        case .clicks, .sessions: [.linkDays, .rollups, .rollupDevices]
        case .events: [.rollups, .rollupDevices]
        }
    }
}
