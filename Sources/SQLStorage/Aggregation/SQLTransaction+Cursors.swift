import LindenKernel
import LindenReporting

extension SQLTransaction {
    /// Returns the last id that a pass has read; 0 if it has read none.
    func cursor(_ pass: AggregationCursor.Pass, _ log: ActivityLog) throws -> Int64 {
        try connection.first(
            "SELECT through_id FROM aggregation_cursors WHERE name = \(AggregationCursor(pass, log))"
        ) { $0.integer(0) } ?? 0
    }

    /// Moves a cursor forward. One that is further already stays: a server that was replaced as the leader must not move it back.
    func setCursor(_ pass: AggregationCursor.Pass, _ log: ActivityLog, through id: Int64) throws {
        try connection.execute(
            """
            INSERT INTO aggregation_cursors (name, through_id) VALUES (\(AggregationCursor(pass, log)), \(id))
            ON CONFLICT (name) DO UPDATE SET through_id = excluded.through_id
            WHERE aggregation_cursors.through_id < excluded.through_id
            """)
    }

    func countingState(_ pass: AggregationCursor.Pass, _ log: ActivityLog) throws -> CountingState {
        CountingState(through: try cursor(pass, log), changes: try uncountedChanges(in: log))
    }

    /// Returns the last id of a log that all counters include.
    func countedThrough(_ log: ActivityLog) throws -> Int64 {
        let rollups = try cursor(.rollups, log)
        return log == .events ? rollups : min(rollups, try cursor(.linkDays, log))
    }

    /// Returns the greatest id of a log between two others; nil if there is none.
    func lastRow(of log: ActivityLog, after first: Int64 = 0, before end: Int64 = .max) throws -> Int64? {
        let sql: SQL =
            switch log {
            case .clicks: "SELECT MAX(id) FROM clicks WHERE id > \(first) AND id < \(end)"
            case .sessions: "SELECT MAX(id) FROM sessions WHERE id > \(first) AND id < \(end)"
            case .events: "SELECT MAX(id) FROM events WHERE id > \(first) AND id < \(end)"
            }
        return try connection.first(sql) { $0.optionalInteger(0) } ?? nil
    }
}
