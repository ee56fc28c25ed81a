import Linden

/// Limits the distinct values of a dimension per day: in all, those of all visitors together, those of one visitor, and those of one site.
struct CardinalityLimiter {
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
