import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func robotVisits(of scope: Scope, hours: Range<Int64>) throws -> Int64 {
        let counted = try connection.first(
            """
            SELECT CAST(COALESCE(SUM(visits), 0) AS BIGINT) FROM robot_hours
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND hour >= \(hours.lowerBound) AND hour < \(hours.upperBound)
            """
        ) { $0.integer(0) }
        let first = max(try cursor(.linkDays, .clicks) + 1, IDGenerator.first(at: Timestamp(hour: hours.lowerBound)))
        let end = IDGenerator.first(at: Timestamp(hour: hours.upperBound))
        guard first < end else { return counted ?? 0 }
        let uncounted = try connection.first(
            """
            SELECT COUNT(*) FROM clicks
            WHERE id >= \(first) AND id < \(end) AND app_id = \(scope.app) AND mode = \(scope.mode)
                AND robot IS NOT NULL AND is_uncounted IS NULL
            """
        ) { $0.integer(0) }
        return (counted ?? 0) + (uncounted ?? 0)
    }

    func addRobotVisits(_ visits: Int64, to key: LinkCountBatch.AppHour) throws {
        try connection.execute(Self.addRobotHour) { row in
            row.bind(key.scope.app.rawValue)
            row.bind(key.scope.mode.rawValue)
            row.bind(key.hour)
            row.bind(visits)
        }
    }

    private static let addRobotHour = StaticSQL(
        insertInto: "robot_hours", "app_id, mode, hour, visits",
        """
        ON CONFLICT (app_id, mode, hour) DO UPDATE SET visits = robot_hours.visits + excluded.visits
        """)
}
