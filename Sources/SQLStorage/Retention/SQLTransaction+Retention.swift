import Linden

extension SQLTransaction {
    package func outdatedRows(of log: Retention.Log, before time: Timestamp, limit: Int) throws -> Int {
        let bound = try outdated(log, before: time)
        return try connection.first(
            "SELECT COUNT(*) FROM (SELECT id FROM \(raw: log.table) WHERE id < \(bound) ORDER BY id LIMIT \(limit)) AS oldest"
        ) { Int($0.integer(0)) } ?? 0
    }

    package func removeOutdatedRows(of log: Retention.Log, before time: Timestamp, limit: Int) throws {
        let bound = try outdated(log, before: time)
        try connection.execute(
            """
            DELETE FROM \(raw: log.table)
            WHERE id IN (SELECT id FROM \(raw: log.table) WHERE id < \(bound) ORDER BY id LIMIT \(limit))
            """)
    }

    /// The id up to which rows are old, and behind what every fold of the log has counted; folds are named for their log, as in
    /// `link_days.clicks`.
    private func outdated(_ log: Retention.Log, before time: Timestamp) throws -> Int64 {
        let counted =
            try connection.first(
                "SELECT MIN(through_id) FROM folds WHERE name LIKE \("%." + log.rawValue)"
            ) { $0.optionalInteger(0) } ?? nil
        return min(IDGenerator.first(at: time), counted.map { $0 + 1 } ?? (log == .events ? .max : 0))
    }
}

extension Retention.Log {
    fileprivate var table: StaticString {
        switch self {
        case .clicks: "clicks"
        case .sessions: "sessions"
        case .events: "events"
        }
    }
}
