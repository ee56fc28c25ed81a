import Linden

extension SQLTransaction {
    package func nextRollups(of log: ActivityLog, before horizon: Timestamp, limit: Int) throws -> RollupBatch? {
        guard let ids = try unrolledRows(of: log, before: horizon, limit: limit) else { return nil }
        var sums = RollupSums()
        try activities(in: log, of: nil, from: ids.lowerBound, before: ids.upperBound + 1, named: nil) { sums.add($0) }
        return RollupBatch(
            log: log, state: try rollupState(of: log), last: ids.upperBound, sums: sums)
    }

    package func add(_ batch: RollupBatch) throws {
        guard try rollupState(of: batch.log) == batch.state else { return }
        try add(batch.sums)
        try setCursor(batch.log.rollupCursor, through: batch.last)
    }

    private func rollupState(of log: ActivityLog) throws -> RollupState {
        RollupState(through: try rolledUpThrough(log), changes: try cursor(log.rollupChanges))
    }

    func add(_ sums: RollupSums) throws {
        var room = CardinalityLimiter(self)
        var days: [Rollup.Key: AggregateTotals] = [:]
        for (key, figures) in sums {
            let counted = Rollup.Key(
                scope: key.scope, topic: key.topic, dimension: key.dimension, unit: key.unit, hour: key.hour,
                name: try room.admitted(key.name, as: .name, key, from: sums.nameSource(of: key)),
                value: try key.dimension.map { try room.admitted(key.value, as: $0, key, from: sums.valueSource(of: key)) } ?? "")
            try add(figures, to: counted)
            if key.unit == .hour { days[counted.ofDay, default: AggregateTotals()] += figures }
        }
        for (key, figures) in days { try add(figures, to: key) }
    }

    private func add(_ figures: AggregateTotals, to key: Rollup.Key) throws {
        let revenue = figures.revenue.parts
        try connection.execute(
            """
            INSERT INTO rollups (app_id, mode, topic, dimension, hours, hour, name, value, count, revenue_thousands,
                revenue_millionths)
            VALUES (\(key.scope.app), \(key.scope.mode), \(key.topic.rawValue), \(key.dimension?.rawValue ?? ""),
                \(key.unit.rawValue), \(key.hour), \(key.name), \(key.value), \(figures.count),
                \(revenue.thousands), \(revenue.millionths))
            ON CONFLICT (app_id, mode, topic, dimension, hours, hour, name, value) DO UPDATE
            SET count = rollups.count + excluded.count,
                revenue_thousands = rollups.revenue_thousands + excluded.revenue_thousands,
                revenue_millionths = rollups.revenue_millionths + excluded.revenue_millionths
            """)
    }

    /// The first and the last id of the next `limit` uncounted rows; nil if there are none.
    private func unrolledRows(of log: ActivityLog, before horizon: Timestamp, limit: Int) throws -> ClosedRange<Int64>? {
        let (after, end) = (try rolledUpThrough(log), IDGenerator.first(at: horizon))
        let sql: SQL =
            switch log {
            case .clicks: "SELECT id FROM clicks WHERE id > \(after) AND id < \(end) ORDER BY id LIMIT \(limit)"
            case .sessions: "SELECT id FROM sessions WHERE id > \(after) AND id < \(end) ORDER BY id LIMIT \(limit)"
            case .events: "SELECT id FROM events WHERE id > \(after) AND id < \(end) ORDER BY id LIMIT \(limit)"
            }
        let ids = try connection.query(sql) { $0.integer(0) }
        guard let first = ids.first, let last = ids.last else { return nil }
        return first...last
    }
}
