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
        var clicks: [UniversalObject.ID: Int64] = [:]
        try connection.read(
            """
            SELECT links.object_id FROM clicks JOIN links ON links.id = clicks.link_id
            WHERE clicks.id > \(try aggregatedClicks()) AND links.app_id = \(scope.app) AND links.mode = \(scope.mode)
                AND links.object_id IS NOT NULL AND \(raw: Self.isCounted)
                AND \(raw: Self.clickDay) BETWEEN \(days.lowerBound) AND \(days.upperBound)
            """
        ) { row in
            clicks[row.id(0), default: 0] += 1
            return true
        }
        var top = TopObjects(by: measure, limit: limit)
        // In the order of the index, so that the database does not gather and sort millions of pieces in memory.
        try connection.read(
            """
            SELECT universal_objects.id, \(raw: Self.sums)
            FROM universal_objects CROSS JOIN object_days
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND object_id = universal_objects.id
                AND day BETWEEN \(days.lowerBound) AND \(days.upperBound)
            GROUP BY universal_objects.id
            """
        ) { row in
            let id: UniversalObject.ID = row.id(0)
            var statistics = ObjectStatistics(row: row, from: 1)
            statistics.clicks += clicks.removeValue(forKey: id) ?? 0
            top.add(id, statistics)
            return true
        }
        for (id, count) in clicks {
            var statistics = ObjectStatistics()
            statistics.clicks = count
            top.add(id, statistics)
        }
        return top.sorted
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

/// The objects with the highest values of a measure so far, without those whose value is zero.
private struct TopObjects {
    private let measure: ObjectMeasure
    private let limit: Int
    private var objects: [(id: UniversalObject.ID, statistics: ObjectStatistics)] = []

    init(by measure: ObjectMeasure, limit: Int) {
        self.measure = measure
        self.limit = limit
    }

    mutating func add(_ id: UniversalObject.ID, _ statistics: ObjectStatistics) {
        guard statistics.value(of: measure) > 0 else { return }
        objects.append((id, statistics))
        if objects.count >= 2 * limit + 1000 { objects = sorted }
    }

    /// The highest first; of equal ones, the oldest.
    var sorted: [(id: UniversalObject.ID, statistics: ObjectStatistics)] {
        let ordered = objects.map { (value: $0.statistics.value(of: measure), object: $0) }
            .sorted { ($1.value, $0.object.id) < ($0.value, $1.object.id) }
        return ordered.prefix(limit).map(\.object)
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

    fileprivate func value(of measure: ObjectMeasure) -> Int128 {
        switch measure {
        case .views: Int128(views)
        case .shares: Int128(shares)
        case .clicks: Int128(clicks)
        case .purchases: Int128(purchases)
        case .revenue: revenue.millionths
        }
    }
}
