import Linden

extension SQLTransaction {
    package func rollupSums(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, _ unit: Rollup.Unit, hours: Range<Int64>
    ) throws -> [Rollup.Sum] {
        try connection.query(
            """
            SELECT name, value, CAST(SUM(count) AS BIGINT), CAST(SUM(revenue_thousands) AS BIGINT),
                CAST(SUM(revenue_millionths) AS BIGINT) FROM rollups
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND topic = \(topic.rawValue)
                AND dimension = \(dimension?.rawValue ?? "") AND hours = \(unit.rawValue)
                AND hour >= \(hours.lowerBound) AND hour < \(hours.upperBound)
            GROUP BY name, value
            """
        ) { row in
            Rollup.Sum(
                name: row.text(0), value: row.text(1), figures: AggregateTotals(count: row.integer(2), revenue: row.moneySum(3)))
        }
    }

    package func rollups(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, _ unit: Rollup.Unit, hours: Range<Int64>
    ) throws -> [Rollup] {
        try connection.query(
            """
            SELECT hour, name, value, count, revenue_thousands, revenue_millionths FROM rollups
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND topic = \(topic.rawValue)
                AND dimension = \(dimension?.rawValue ?? "") AND hours = \(unit.rawValue)
                AND hour >= \(hours.lowerBound) AND hour < \(hours.upperBound)
            """
        ) { row in
            Rollup(
                key: Rollup.Key(
                    scope: scope, topic: topic, dimension: dimension, unit: unit, hour: row.integer(0), name: row.text(1),
                    value: row.text(2)),
                figures: AggregateTotals(count: row.integer(3), revenue: row.moneySum(4)))
        }
    }

    package func rolledUpThrough(_ log: ActivityLog) throws -> Int64 { try cursor(log.fold) }

    package func prunedThrough(_ log: ActivityLog) throws -> Int64 { try cursor(log.pruned) }

    package func rollupValues(of scope: Scope, by dimension: Dimension, day: Int64) throws -> Set<String> {
        Set(
            try connection.query(
                """
                SELECT value FROM rollup_values WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                    AND dimension = \(dimension.rawValue) AND day = \(day)
                """
            ) { $0.text(0) })
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
        try setCursor(batch.log.fold, through: batch.last)
    }

    private func rollupState(of log: ActivityLog) throws -> RollupState {
        RollupState(through: try rolledUpThrough(log), changes: try cursor(log.changes))
    }

    /// Invalidates batches in preparation. Call whenever a row that is not yet counted changes or is deleted.
    private func noteUncountedChange(in log: ActivityLog) throws {
        try setCursor(log.changes, through: try cursor(log.changes) + 1)
    }

    private func add(_ sums: RollupSums) throws {
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

    // MARK: Rows that do not stay as they were counted

    /// Counts a row that is about to be deleted, unless it is already counted, so that totals stay.
    func countBeforeDeletion(of id: Int64, in log: ActivityLog) throws {
        var sums = RollupSums(), changes: [AnalyticsRecord] = []
        let isCounted = try id <= rolledUpThrough(log)
        try activities(in: log, of: nil, from: id, before: id + 1, named: nil) { activity in
            if !isCounted { sums.add(activity) }
            changes.append(activity)
        }
        try add(sums)
        if !isCounted { try noteUncountedChange(in: log) }
        for activity in changes { try note(RollupChanges(removed: 1), at: activity) }
    }

    /// Call before the data that identify a click's visitor are erased: the click stays counted under its former values.
    func noteErasure(ofClick id: Int64) throws {
        var erased: [AnalyticsRecord] = []
        try activities(in: .clicks, of: nil, from: id, before: id + 1, named: nil) { erased.append($0) }
        for activity in erased { try note(RollupChanges(moved: 1), at: activity) }
    }

    /// Moves a counted session from the counters of the dimension values it had before `change` to those it has afterwards.
    func recountLabels(of session: Session.ID, while change: () throws -> Void) throws {
        func activity() throws -> AnalyticsRecord? {
            var found: AnalyticsRecord?
            let id = session.rawValue
            try activities(in: .sessions, of: nil, from: id, before: id + 1, named: nil) { found = $0 }
            return found
        }
        let isCounted = try session.rawValue <= rolledUpThrough(.sessions)
        let before = isCounted ? try activity() : nil
        try change()
        if !isCounted { try noteUncountedChange(in: .sessions) }
        guard let before, let after = try activity(), before.rollupKeys != after.rollupKeys else { return }
        var sums = RollupSums()
        for key in before.rollupKeys where key.dimension != nil { sums.add(-before.figures, to: key, of: before) }
        for key in after.rollupKeys where key.dimension != nil { sums.add(after.figures, to: key, of: after) }
        try add(sums)
        try note(RollupChanges(moved: 1), at: after)
    }

    private func note(_ changes: RollupChanges, at activity: AnalyticsRecord) throws {
        try connection.execute(
            """
            INSERT INTO rollup_changes (app_id, mode, topic, hour, removed, moved)
            VALUES (\(activity.scope.app), \(activity.scope.mode), \(activity.topic.rawValue), \(activity.hour), \(changes.removed),
                \(changes.moved))
            ON CONFLICT (app_id, mode, topic, hour) DO UPDATE
            SET removed = rollup_changes.removed + excluded.removed, moved = rollup_changes.moved + excluded.moved
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

extension ActivityLog {
    /// The name of the cursor up to which the log is aggregated.
    fileprivate var fold: String { "rollups." + rawValue }
    /// The name of the cursor up to which rows were deleted for their age.
    var pruned: String { "pruned." + rawValue }
    /// The name under which ``RollupState/changes`` is stored.
    fileprivate var changes: String { "rollups." + rawValue + ".changes" }
}

/// Limits the distinct values of a dimension per day: in all, those of all visitors together, those of one visitor, and those of one site.
private struct CardinalityLimiter {
    private struct Day: Hashable {
        let scope: Scope
        let dimension: Dimension
        let day: Int64
    }

    private struct Share: Hashable {
        let day: Day
        let owner: ShareOwner
    }

    /// The numbers of distinct values of a day.
    struct Counts {
        var all: Int
        var ofVisitors: Int
    }

    private let transaction: SQLTransaction
    /// Values known to have counters.
    private var known: [Day: Set<String>] = [:]
    private var counts: [Day: Counts] = [:]
    /// The numbers of values of a day that each visitor and each site introduced.
    private var shares: [Share: Int] = [:]

    init(_ transaction: SQLTransaction) {
        self.transaction = transaction
    }

    /// Returns the value, or ``Rollup/other`` if the day's or the source's limit is reached.
    mutating func admitted(
        _ value: String, as dimension: Dimension, _ key: Rollup.Key, from source: ValueSource
    ) throws -> String {
        guard !value.isEmpty else { return "" }
        let day = Day(scope: key.scope, dimension: dimension, day: key.hour / 24)
        if known[day]?.contains(value) == true { return value }
        // A refusal is not cached: the next source may still introduce the value.
        guard try isAdmitted(value, day, from: source) else { return Rollup.other }
        known[day, default: []].insert(value)
        return value
    }

    private mutating func isAdmitted(_ value: String, _ day: Day, from source: ValueSource) throws -> Bool {
        let isKnown = try transaction.connection.hasRows(
            """
            SELECT 1 FROM rollup_values WHERE app_id = \(day.scope.app) AND mode = \(day.scope.mode)
                AND dimension = \(day.dimension.rawValue) AND day = \(day.day) AND value = \(value)
            """)
        if isKnown { return true }
        guard try hasRoom(on: day, for: source) else { return false }
        try transaction.connection.execute(
            """
            INSERT INTO rollup_values (app_id, mode, dimension, day, value, source, site)
            VALUES (\(day.scope.app), \(day.scope.mode), \(day.dimension.rawValue), \(day.day), \(value), \(source.stored),
                \(source.site))
            ON CONFLICT (app_id, mode, dimension, day, value) DO NOTHING
            """)
        counts[day]?.all += 1
        if source != .app { counts[day]?.ofVisitors += 1 }
        for owner in source.shareOwners { shares[Share(day: day, owner: owner)]? += 1 }
        return true
    }

    private mutating func hasRoom(on day: Day, for source: ValueSource) throws -> Bool {
        let count = try counts[day] ?? transaction.countRollupValues(of: day.scope, by: day.dimension, day: day.day)
        counts[day] = count
        guard count.all < Rollup.valuesPerDay else { return false }
        guard source != .app else { return true }
        guard count.ofVisitors < Rollup.valuesOfVisitors else { return false }
        for owner in source.shareOwners {
            guard try valueCount(of: owner, on: day) < owner.limit else { return false }
        }
        return true
    }

    private mutating func valueCount(of owner: ShareOwner, on day: Day) throws -> Int {
        let share = Share(day: day, owner: owner)
        let count =
            try shares[share] ?? transaction.countRollupValues(of: day.scope, by: day.dimension, day: day.day, from: owner)
        shares[share] = count
        return count
    }
}

/// A visitor or a site, which each have a share of the values of a day.
private enum ShareOwner: Hashable {
    case visitor(Int64)
    /// All visitors without any stored identifier.
    case unknownVisitors
    case site(Int64)

    /// The maximum number of values.
    var limit: Int {
        switch self {
        case .visitor: Rollup.valuesPerVisitor.address
        case .unknownVisitors: Rollup.valuesOfUnknownVisitors
        case .site: Rollup.valuesPerVisitor.site
        }
    }
}

extension ValueSource {
    /// The column `source`: -1 for the app's own links, NULL for an unknown visitor.
    fileprivate var stored: Int64? {
        switch self {
        case .app: -1
        case .visitor(let number, _): number
        case .unknown: nil
        }
    }

    /// The column `site`.
    fileprivate var site: Int64? {
        if case .visitor(_, let site) = self { site } else { nil }
    }

    /// The owners of the shares that a value of this source counts towards; none for the app's own links.
    fileprivate var shareOwners: [ShareOwner] {
        switch self {
        case .app: []
        case .visitor(let number, nil): [.visitor(number)]
        case .visitor(let number, let site?): [.visitor(number), .site(site)]
        case .unknown: [.unknownVisitors]
        }
    }
}

extension SQLTransaction {
    fileprivate func countRollupValues(of scope: Scope, by dimension: Dimension, day: Int64) throws -> CardinalityLimiter.Counts {
        try connection.first(
            """
            SELECT COUNT(*), COUNT(CASE WHEN source = \(ValueSource.app.stored) THEN 1 END) FROM rollup_values
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND dimension = \(dimension.rawValue) AND day = \(day)
            """
        ) { CardinalityLimiter.Counts(all: Int($0.integer(0)), ofVisitors: Int($0.integer(0) - $0.integer(1))) }
            ?? CardinalityLimiter.Counts(all: 0, ofVisitors: 0)
    }

    /// Counts the values that one visitor or site introduced on a day. Reads only those, because it runs for every new visitor.
    fileprivate func countRollupValues(
        of scope: Scope, by dimension: Dimension, day: Int64, from owner: ShareOwner
    ) throws -> Int {
        let sql: SQL =
            switch owner {
            case .visitor(let number):
                """
                SELECT COUNT(*) FROM rollup_values WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                    AND dimension = \(dimension.rawValue) AND day = \(day) AND source = \(number)
                """
            case .unknownVisitors:
                """
                SELECT COUNT(*) FROM rollup_values WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                    AND dimension = \(dimension.rawValue) AND day = \(day) AND source IS NULL
                """
            case .site(let number):
                """
                SELECT COUNT(*) FROM rollup_values WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                    AND dimension = \(dimension.rawValue) AND day = \(day) AND site = \(number)
                """
            }
        return try connection.first(sql) { Int($0.integer(0)) } ?? 0
    }
}
