import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func nextRollups(of log: ActivityLog, before watermark: Timestamp, limit: CountingLimit) throws -> RollupBatch? {
        let state = try countingState(.rollups, log)
        let end = IDGenerator.first(at: watermark)
        var sums = RollupSums()
        var rows = 0
        var through: Int64?
        try readActivities(in: log, of: nil, from: state.through + 1, before: end, named: nil, isDetailed: false) { activity in
            sums.add(activity)
            rows += 1
            guard rows >= limit.rows || sums.count >= limit.counters else { return true }
            through = activity.id
            return false
        }
        // Rows that count nothing, such as visits of robots, are passed too.
        guard let last = try through ?? lastRow(of: log, after: state.through, before: end) else { return nil }
        return RollupBatch(log: log, state: state, last: last, sums: sums)
    }

    @discardableResult
    package func add(_ batch: RollupBatch) throws -> Bool {
        guard try countingState(.rollups, batch.log) == batch.state else { return false }
        try add(batch.sums)
        try setCursor(.rollups, batch.log, through: batch.last)
        return true
    }

    func add(_ sums: RollupSums) throws {
        var room = CardinalityLimiter(self)
        var combinations = CombinationLimiter(self)
        var days: [Rollup.Key: AggregateTotals] = [:]
        for (key, figures) in sums {
            let source = sums.nameSource(of: key)
            var counted = key
            counted.name = try room.admitted(key.name, as: .name, key, from: source)
            counted.value =
                try key.dimension.map { try room.admitted(key.value, as: $0, key, from: sums.valueSource(of: key)) } ?? ""
            counted.name = try combinations.admittedName(of: counted, from: source)
            try add(figures, to: counted)
            if key.unit == .hour { days[counted.ofDay, default: AggregateTotals()] += figures }
        }
        for (key, figures) in days { try add(figures, to: key) }
    }

    package func add(_ figures: AggregateTotals, to key: Rollup.Key) throws {
        let revenue = figures.revenue.parts
        try connection.execute(Self.addRollup) { row in
            row.bind(key.scope.app.rawValue)
            row.bind(key.scope.mode.rawValue)
            row.bind(key.topic.rawValue)
            row.bind(key.dimension?.rawValue ?? "")
            row.bind(key.unit.rawValue)
            row.bind(key.hour)
            row.bind(key.name)
            row.bind(key.value)
            row.bind(figures.count)
            row.bind(revenue.thousands)
            row.bind(revenue.millionths)
        }
    }

    private static let addRollup = StaticSQL(
        insertInto: "rollups",
        "app_id, mode, topic, dimension, hours, hour, name, value, count, revenue_thousands, revenue_millionths",
        """
        ON CONFLICT (app_id, mode, topic, dimension, hours, hour, name, value) DO UPDATE
        SET count = rollups.count + excluded.count,
            revenue_thousands = rollups.revenue_thousands + excluded.revenue_thousands,
            revenue_millionths = rollups.revenue_millionths + excluded.revenue_millionths
        """)
}
