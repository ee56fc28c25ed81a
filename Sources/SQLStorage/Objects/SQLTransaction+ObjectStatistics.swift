import Linden
import LindenKernel

extension SQLTransaction {
    private static let sums: StaticString =
        """
        CAST(COALESCE(SUM(views), 0) AS BIGINT), CAST(COALESCE(SUM(shares), 0) AS BIGINT), CAST(COALESCE(SUM(clicks), 0) AS BIGINT),
            CAST(COALESCE(SUM(purchases), 0) AS BIGINT), CAST(COALESCE(SUM(revenue_thousands), 0) AS BIGINT),
            CAST(COALESCE(SUM(revenue_millionths), 0) AS BIGINT)
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
            WHERE clicks.id > \(try aggregatedClicks()) AND links.object_id BETWEEN \(first) AND \(last) AND \(raw: Self.isCounted)
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
                SELECT object_id, views, shares, clicks, purchases, revenue_thousands, revenue_millionths
                FROM universal_objects JOIN object_days ON object_id = universal_objects.id
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND day BETWEEN \(days.lowerBound) AND \(days.upperBound)
                UNION ALL
                SELECT links.object_id, 0, 0, 1, 0, 0, 0
                FROM clicks JOIN links ON links.id = clicks.link_id
                WHERE clicks.id > \(try aggregatedClicks()) AND links.app_id = \(scope.app) AND links.mode = \(scope.mode)
                    AND links.object_id IS NOT NULL AND \(raw: Self.isCounted)
                    AND \(raw: Self.clickDay) BETWEEN \(days.lowerBound) AND \(days.upperBound)
            ) AS counted
            GROUP BY object_id HAVING (\(raw: measure.sum)) > (0, 0)
            ORDER BY \(raw: measure.descending), object_id LIMIT \(limit)
            """
        ) { (id: $0.id(0), statistics: ObjectStatistics(row: $0, from: 1)) }
    }

    @discardableResult
    package func count(_ statistics: ObjectStatistics, of object: UniversalObject.ID, on day: Int64) throws -> Bool {
        let revenue = statistics.revenue.parts
        let counters = try connection.first(
            """
            INSERT INTO object_days (object_id, day, views, shares, clicks, purchases, revenue_thousands, revenue_millionths)
            VALUES (\(object), \(day), \(statistics.views), \(statistics.shares), \(statistics.clicks),
                \(statistics.purchases), \(revenue.thousands), \(revenue.millionths))
            ON CONFLICT (object_id, day) DO UPDATE
            SET views = object_days.views + excluded.views, shares = object_days.shares + excluded.shares,
                clicks = object_days.clicks + excluded.clicks, purchases = object_days.purchases + excluded.purchases,
                revenue_thousands = object_days.revenue_thousands + excluded.revenue_thousands,
                revenue_millionths = object_days.revenue_millionths + excluded.revenue_millionths
            RETURNING views, shares, clicks, purchases
            """
        ) { row in [row.integer(0), row.integer(1), row.integer(2), row.integer(3)] }
        return counters == [statistics.views, statistics.shares, statistics.clicks, statistics.purchases]
    }

    /// Excludes robots and clicks of links that are not to be counted.
    private static let isCounted: StaticString = "clicks.robot IS NULL AND clicks.is_uncounted IS NULL"

    /// The UTC day of a click, from the upper bits of its id: milliseconds since 2025-01-01.
    private static let clickDay: StaticString = "((clicks.id >> 22) + 1735689600000) / 86400000"
}

extension ObjectMeasure {
    /// Two numbers that order like the sum. For revenue: its thousands, carry included, and the remaining millionths.
    fileprivate var sum: StaticString {
        switch self {
        case .views: "SUM(views), 0"
        case .shares: "SUM(shares), 0"
        case .clicks: "SUM(clicks), 0"
        case .purchases: "SUM(purchases), 0"
        case .revenue:
            """
            CAST(SUM(revenue_thousands) AS BIGINT) + CAST(SUM(revenue_millionths) AS BIGINT) / 1000000000,
                CAST(SUM(revenue_millionths) AS BIGINT) % 1000000000
            """
        }
    }

    /// Sorts by ``sum``, highest first.
    fileprivate var descending: StaticString {
        switch self {
        case .views: "SUM(views) DESC"
        case .shares: "SUM(shares) DESC"
        case .clicks: "SUM(clicks) DESC"
        case .purchases: "SUM(purchases) DESC"
        case .revenue:
            """
            CAST(SUM(revenue_thousands) AS BIGINT) + CAST(SUM(revenue_millionths) AS BIGINT) / 1000000000 DESC,
                CAST(SUM(revenue_millionths) AS BIGINT) % 1000000000 DESC
            """
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
        revenue = row.moneySum(column + 4)
    }
}
