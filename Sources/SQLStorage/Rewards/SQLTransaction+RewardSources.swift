import Linden
import LindenLedger

extension SQLTransaction {
    package func total(of counted: DailyCount, from source: RewardOrigin.Source, in scope: Scope, on day: Int64) throws -> Int64 {
        try connection.first(
            """
            SELECT \(raw: counted.column) FROM reward_sources
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND source = \(source.text) AND day = \(day)
            """
        ) { $0.integer(0) } ?? 0
    }

    package func dailyTotals(of counted: DailyCount, in scope: Scope, since day: Int64, before end: Int64) throws -> [Int64] {
        try connection.query(
            """
            SELECT \(raw: counted.column) FROM reward_sources
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND source = '' AND day >= \(day) AND day < \(end)
            """
        ) { $0.integer(0) }
    }

    package func count(
        _ counted: DailyCount, from source: RewardOrigin.Source, in scope: Scope, on day: Int64, limit: Int64?
    ) throws -> Bool {
        let column = counted.column
        return try connection.changesRows(
            """
            INSERT INTO reward_sources (app_id, mode, source, day, \(raw: column))
            VALUES (\(scope.app), \(scope.mode), \(source.text), \(day), 1)
            ON CONFLICT (app_id, mode, source, day) DO UPDATE SET \(raw: column) = reward_sources.\(raw: column) + 1
            WHERE reward_sources.\(raw: column) < \(limit ?? .max)
            """)
    }

    package func hasRewardSources(before day: Int64) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM reward_sources WHERE source <> '' AND day < \(day) LIMIT 1")
    }

    package func deleteRewardSources(before day: Int64, limit: Int) throws {
        let outdated = try connection.query(
            """
            SELECT app_id, mode, source, day FROM reward_sources WHERE source <> '' AND day < \(day) ORDER BY day LIMIT \(limit)
            """
        ) { (scope: $0.scope(0), source: $0.text(2), day: $0.integer(3)) }
        for row in outdated {
            try connection.execute(
                """
                DELETE FROM reward_sources
                WHERE app_id = \(row.scope.app) AND mode = \(row.scope.mode) AND source = \(row.source) AND day = \(row.day)
                """)
        }
    }
}

extension DailyCount {
    fileprivate var column: StaticString {
        switch self {
        case .rewards: "rewards"
        case .referrals: "referrals"
        }
    }
}
