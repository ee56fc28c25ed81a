import Linden
import LindenKernel
import LindenReporting

/// Admits the distinct values of a dimension per day, as far as ``ValueSource/mayIntroduceValue(beside:used:)`` allows.
struct CardinalityLimiter {
    private struct Day: Hashable {
        let scope: Scope
        let dimension: Dimension
        let day: Int64
    }

    private struct Share: Hashable {
        let day: Day
        let owner: ValueShareOwner
    }

    private let transaction: SQLTransaction
    /// Values known to have counters.
    private var known: [Day: Set<String>] = [:]
    private var counts: [Day: ValueCounts] = [:]
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
        let isKnown = try transaction.connection.hasRows(Self.findValue) { row in
            row.bind(day.scope.app.rawValue)
            row.bind(day.scope.mode.rawValue)
            row.bind(day.dimension.rawValue)
            row.bind(day.day)
            row.bind(value)
        }
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

    private static let findValue = StaticSQL(
        "SELECT 1 FROM rollup_values WHERE app_id = $1 AND mode = $2 AND dimension = $3 AND day = $4 AND value = $5")

    private mutating func hasRoom(on day: Day, for source: ValueSource) throws -> Bool {
        let count = try counts[day] ?? transaction.countRollupValues(of: day.scope, by: day.dimension, day: day.day)
        counts[day] = count
        return try source.mayIntroduceValue(beside: count) { owner in try valueCount(of: owner, on: day) }
    }

    private mutating func valueCount(of owner: ValueShareOwner, on day: Day) throws -> Int {
        let share = Share(day: day, owner: owner)
        let count =
            try shares[share] ?? transaction.countRollupValues(of: day.scope, by: day.dimension, day: day.day, from: owner)
        shares[share] = count
        return count
    }
}

extension ValueSource {
    /// The column `source`: -1 for the app's own links, NULL for an unknown visitor.
    var stored: Int64? {
        switch self {
        case .app: -1
        case .visitor(let number, _): number
        case .unknown: nil
        }
    }

    /// The column `site`.
    var site: Int64? {
        if case .visitor(_, let site) = self { site } else { nil }
    }
}

extension SQLTransaction {
    fileprivate func countRollupValues(of scope: Scope, by dimension: Dimension, day: Int64) throws -> ValueCounts {
        try connection.first(
            """
            SELECT COUNT(*), COUNT(CASE WHEN source = \(ValueSource.app.stored) THEN 1 END) FROM rollup_values
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND dimension = \(dimension.rawValue) AND day = \(day)
            """
        ) { ValueCounts(all: Int($0.integer(0)), ofVisitors: Int($0.integer(0) - $0.integer(1))) }
            ?? ValueCounts(all: 0, ofVisitors: 0)
    }

    /// Counts the values that one visitor or site introduced on a day. Reads only those, because it runs for every new visitor.
    fileprivate func countRollupValues(
        of scope: Scope, by dimension: Dimension, day: Int64, from owner: ValueShareOwner
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
