import Linden
import LindenKernel
import LindenReporting
import LindenServices

extension SQLTransaction {
    package func outdatedRows(of log: Retention.Log, before time: Timestamp, limit: Int) throws -> Int {
        let bound = try outdated(log, before: time)
        return try connection.first(
            "SELECT COUNT(*) FROM (SELECT id FROM \(raw: log.table) WHERE id < \(bound) ORDER BY id LIMIT \(limit)) AS oldest"
        ) { Int($0.integer(0)) } ?? 0
    }

    package func removeOutdatedRows(of log: Retention.Log, before time: Timestamp, limit: Int) throws {
        let bound = try outdated(log, before: time)
        let last = try connection.query(
            "SELECT id FROM \(raw: log.table) WHERE id < \(bound) ORDER BY id LIMIT \(limit)"
        ) { $0.integer(0) }.last
        guard let last else { return }
        if log == .events {
            let events: [Event.ID] = try connection.query(
                "SELECT id FROM events WHERE id <= \(last) AND transaction_id IS NOT NULL"
            ) { $0.id(0) }
            try events.forEach(deleteTransaction)
        }
        try connection.execute("DELETE FROM \(raw: log.table) WHERE id <= \(last)")
        try setCursor(.pruned, log.activities, through: last)
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

    /// The aggregations that must have counted a row before it may be deleted.
    fileprivate var passes: [AggregationCursor.Pass] {
        switch self {
        case .clicks, .sessions: [.linkDays, .rollups, .rollupDevices]
        case .events: [.rollups, .rollupDevices]
        }
    }
}
