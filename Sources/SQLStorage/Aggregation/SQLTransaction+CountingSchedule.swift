import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func hasRows(since time: Timestamp) throws -> Bool {
        let first = IDGenerator.first(at: time)
        return try ActivityLog.allCases.contains { try lastRow(of: $0, after: first - 1) != nil }
    }

    package func oldestUncountedRow(of log: ActivityLog) throws -> Timestamp? {
        let after = try countedThrough(log)
        let sql: SQL =
            switch log {
            case .clicks: "SELECT id FROM clicks WHERE id > \(after) ORDER BY id LIMIT 1"
            case .sessions: "SELECT id FROM sessions WHERE id > \(after) ORDER BY id LIMIT 1"
            case .events: "SELECT id FROM events WHERE id > \(after) ORDER BY id LIMIT 1"
            }
        return try connection.first(sql) { IDGenerator.time(of: $0.integer(0)) }
    }

    package func hasUncountedRows(atLeast count: Int) throws -> Bool {
        try ActivityLog.allCases.contains { log in
            let (after, others) = (try countedThrough(log), count - 1)
            let sql: SQL =
                switch log {
                case .clicks: "SELECT 1 FROM clicks WHERE id > \(after) ORDER BY id LIMIT 1 OFFSET \(others)"
                case .sessions: "SELECT 1 FROM sessions WHERE id > \(after) ORDER BY id LIMIT 1 OFFSET \(others)"
                case .events: "SELECT 1 FROM events WHERE id > \(after) ORDER BY id LIMIT 1 OFFSET \(others)"
                }
            return try connection.hasRows(sql)
        }
    }
}
