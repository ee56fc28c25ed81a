import Linden
import LindenReporting

extension SQLTransaction {
    package func visitRollupSums(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, named: Bool, _ unit: Rollup.Unit, hours: Range<Int64>,
        _ body: (Rollup.Sum) throws -> Void
    ) throws {
        let name: StaticString = named ? "name" : "''"
        let groups: StaticString = named ? "name, value" : "value"
        try connection.read(
            """
            SELECT \(raw: name), value, CAST(SUM(count) AS BIGINT), CAST(SUM(revenue_thousands) AS BIGINT),
                CAST(SUM(revenue_millionths) AS BIGINT) FROM rollups
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND topic = \(topic.rawValue)
                AND dimension = \(dimension?.rawValue ?? "") AND hours = \(unit.rawValue)
                AND hour >= \(hours.lowerBound) AND hour < \(hours.upperBound)
            GROUP BY \(raw: groups)
            """
        ) { row in
            let figures = AggregateTotals(count: row.integer(2), revenue: row.moneySum(3))
            try body(Rollup.Sum(name: row.text(0), value: row.text(1), figures: figures))
            return true
        }
    }

    package func visitDailyTotals(
        of scope: Scope, _ topic: Topic, hours: Range<Int64>, _ body: (_ hour: Int64, AggregateTotals) throws -> Void
    ) throws {
        try connection.read(
            """
            SELECT hour, CAST(SUM(count) AS BIGINT), CAST(SUM(revenue_thousands) AS BIGINT),
                CAST(SUM(revenue_millionths) AS BIGINT) FROM rollups
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND topic = \(topic.rawValue)
                AND dimension = '' AND hours = \(Rollup.Unit.day.rawValue)
                AND hour >= \(hours.lowerBound) AND hour < \(hours.upperBound)
            GROUP BY hour
            """
        ) { row in
            try body(row.integer(0), AggregateTotals(count: row.integer(1), revenue: row.moneySum(2)))
            return true
        }
    }

    package func visitDailyTotals(
        of scope: Scope, _ topic: Topic, by dimension: Dimension, value: String, hours: Range<Int64>,
        _ body: (_ hour: Int64, AggregateTotals) throws -> Void
    ) throws {
        // One statement for each day: a range of hours would read the rows of all values.
        for hour in stride(from: hours.lowerBound, to: hours.upperBound, by: 24) {
            let figures = try connection.first(
                """
                SELECT count, revenue_thousands, revenue_millionths FROM rollups
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND topic = \(topic.rawValue)
                    AND dimension = \(dimension.rawValue) AND hours = \(Rollup.Unit.day.rawValue) AND hour = \(hour)
                    AND name = '' AND value = \(value)
                """
            ) { AggregateTotals(count: $0.integer(0), revenue: $0.moneySum(1)) }
            if let figures { try body(hour, figures) }
        }
    }

    package func rollupCount(of scope: Scope, _ topic: Topic, by dimension: Dimension?, day: Int64) throws -> Int64 {
        try connection.first(
            """
            SELECT COUNT(*) FROM rollups
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND topic = \(topic.rawValue)
                AND dimension = \(dimension?.rawValue ?? "") AND hours = \(Rollup.Unit.day.rawValue) AND hour = \(day * 24)
            """
        ) { $0.integer(0) } ?? 0
    }

    package func visitRollups(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, _ unit: Rollup.Unit, hours: Range<Int64>,
        _ body: (Rollup) throws -> Void
    ) throws {
        try connection.read(
            """
            SELECT hour, name, value, count, revenue_thousands, revenue_millionths FROM rollups
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND topic = \(topic.rawValue)
                AND dimension = \(dimension?.rawValue ?? "") AND hours = \(unit.rawValue)
                AND hour >= \(hours.lowerBound) AND hour < \(hours.upperBound)
            """
        ) { row in
            let key = Rollup.Key(
                scope: scope, topic: topic, dimension: dimension, unit: unit, hour: row.integer(0), name: row.text(1),
                value: row.text(2))
            try body(Rollup(key: key, figures: AggregateTotals(count: row.integer(3), revenue: row.moneySum(4))))
            return true
        }
    }

    package func rolledUpThrough(_ log: ActivityLog) throws -> Int64 { try cursor(.rollups, log) }

    package func prunedThrough(_ log: ActivityLog) throws -> Int64 { try cursor(.pruned, log) }

    package func visitRollupValues(
        of scope: Scope, by dimension: Dimension, day: Int64, _ body: (String) throws -> Void
    ) throws {
        try connection.read(
            """
            SELECT value FROM rollup_values WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                AND dimension = \(dimension.rawValue) AND day = \(day)
            """
        ) { row in
            try body(row.text(0))
            return true
        }
    }

    package func visitRollupCombinations(
        of scope: Scope, by dimension: Dimension, day: Int64, _ body: (_ name: String, _ value: String) throws -> Void
    ) throws {
        try connection.read(
            """
            SELECT name, value FROM rollup_combinations WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                AND dimension = \(dimension.rawValue) AND day = \(day)
            """
        ) { row in
            try body(row.text(0), row.text(1))
            return true
        }
    }

    package func rollupChanges(of scope: Scope, _ topic: Topic, hours: Range<Int64>) throws -> [Int64: RollupChanges] {
        let rows = try connection.query(
            """
            SELECT hour, removed, moved FROM rollup_changes WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                AND topic = \(topic.rawValue) AND hour >= \(hours.lowerBound) AND hour < \(hours.upperBound)
            """
        ) { ($0.integer(0), RollupChanges(removed: $0.integer(1), moved: $0.integer(2))) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    package func scopesWithRollups() throws -> [Scope] {
        try connection.query("SELECT DISTINCT app_id, mode FROM app_keys ORDER BY app_id, mode") { $0.scope(0) }
    }
}
