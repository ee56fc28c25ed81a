import Linden

extension SQLTransaction {
    // Revenue is summed in two parts, so that no sum leaves BIGINT.
    private static let sums: StaticString =
        """
        CAST(COALESCE(SUM(views), 0) AS BIGINT), CAST(COALESCE(SUM(shares), 0) AS BIGINT), CAST(COALESCE(SUM(clicks), 0) AS BIGINT),
            CAST(COALESCE(SUM(purchases), 0) AS BIGINT), CAST(COALESCE(SUM(revenue / 1000000), 0) AS BIGINT),
            CAST(COALESCE(SUM(revenue % 1000000), 0) AS BIGINT)
        """

    package func statistics(
        of objects: [UniversalObject.ID], on days: ClosedRange<Int64>
    ) throws -> [UniversalObject.ID: ObjectStatistics] {
        guard let first = objects.min(), let last = objects.max() else { return [:] }
        var statistics: [UniversalObject.ID: ObjectStatistics] = [:]
        for object in objects {
            statistics[object] = try connection.first(
                """
                SELECT \(raw: Self.sums) FROM object_days
                WHERE object_id = \(object) AND day BETWEEN \(days.lowerBound) AND \(days.upperBound)
                """
            ) { ObjectStatistics(row: $0, from: 0) }
        }
        let clicks = try connection.query(
            """
            SELECT links.object_id, COUNT(*) FROM clicks JOIN links ON links.id = clicks.link_id
            WHERE clicks.id > \(try foldedClicks()) AND links.object_id BETWEEN \(first) AND \(last) AND \(raw: Self.isCounted)
                AND \(raw: Self.clickDay) BETWEEN \(days.lowerBound) AND \(days.upperBound)
            GROUP BY links.object_id
            """
        ) { (object: $0.id(0) as UniversalObject.ID, count: $0.integer(1)) }
        for (object, count) in clicks { statistics[object]?.clicks += count }
        return statistics
    }

    package func topObjects(
        of scope: Scope, by measure: ObjectMeasure, on days: ClosedRange<Int64>, limit: Int
    ) throws -> [(id: UniversalObject.ID, statistics: ObjectStatistics)] {
        try connection.query(
            """
            SELECT object_id, \(raw: Self.sums)
            FROM (
                SELECT object_id, views, shares, clicks, purchases, revenue
                FROM universal_objects JOIN object_days ON object_id = universal_objects.id
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND day BETWEEN \(days.lowerBound) AND \(days.upperBound)
                UNION ALL
                SELECT links.object_id, 0, 0, 1, 0, 0
                FROM clicks JOIN links ON links.id = clicks.link_id
                WHERE clicks.id > \(try foldedClicks()) AND links.app_id = \(scope.app) AND links.mode = \(scope.mode)
                    AND links.object_id IS NOT NULL AND \(raw: Self.isCounted)
                    AND \(raw: Self.clickDay) BETWEEN \(days.lowerBound) AND \(days.upperBound)
            ) AS counted
            GROUP BY object_id HAVING SUM(\(raw: measure.column)) > 0
            ORDER BY SUM(\(raw: measure.column)) DESC, object_id LIMIT \(limit)
            """
        ) { (id: $0.id(0), statistics: ObjectStatistics(row: $0, from: 1)) }
    }

    package func count(_ statistics: ObjectStatistics, of object: UniversalObject.ID, on day: Int64) throws {
        try connection.execute(
            """
            INSERT INTO object_days (object_id, day, views, shares, clicks, purchases, revenue)
            VALUES (\(object), \(day), \(statistics.views), \(statistics.shares), \(statistics.clicks),
                \(statistics.purchases), \(statistics.revenue))
            ON CONFLICT (object_id, day) DO UPDATE
            SET views = object_days.views + excluded.views, shares = object_days.shares + excluded.shares,
                clicks = object_days.clicks + excluded.clicks, purchases = object_days.purchases + excluded.purchases,
                revenue = CASE WHEN object_days.revenue BETWEEN -4000000000000000000 AND 4000000000000000000
                    THEN object_days.revenue + excluded.revenue ELSE object_days.revenue END
            """)
    }

    /// Adds clicks to the daily counters of the content that their links are about.
    func countObjectClicks(after: Int64, through last: Int64) throws {
        try connection.execute(
            """
            INSERT INTO object_days (object_id, day, views, shares, clicks, purchases, revenue)
            SELECT links.object_id, \(raw: Self.clickDay), 0, 0, COUNT(*), 0, 0
            FROM clicks JOIN links ON links.id = clicks.link_id
            WHERE clicks.id > \(after) AND clicks.id <= \(last) AND links.object_id IS NOT NULL AND \(raw: Self.isCounted)
            GROUP BY 1, 2
            ON CONFLICT (object_id, day) DO UPDATE SET clicks = object_days.clicks + excluded.clicks
            """)
    }

    /// By people, and of a link that wants to be counted.
    private static let isCounted: StaticString = "clicks.robot IS NULL AND clicks.is_uncounted IS NULL"

    /// The day of a click by its id, which begins with the milliseconds since 2025-01-01.
    private static let clickDay: StaticString = "((clicks.id >> 22) + 1735689600000) / 86400000"
}

extension ObjectMeasure {
    fileprivate var column: StaticString {
        switch self {
        case .views: "views"
        case .shares: "shares"
        case .clicks: "clicks"
        case .purchases: "purchases"
        case .revenue: "CAST(revenue AS DOUBLE PRECISION)"
        }
    }
}

extension ObjectStatistics {
    fileprivate init(row: any SQLRow, from column: Int) {
        self.init()
        views = row.integer(column)
        shares = row.integer(column + 1)
        clicks = row.integer(column + 2)
        purchases = row.integer(column + 3)
        revenue = row.revenue(column + 4)
    }
}
