import Linden
import LindenKernel
import LindenReporting

/// Admits the combinations of an event's name and a value of a dimension per day, as far as
/// ``ValueSource/mayIntroduceCombination(beside:used:)`` allows.
struct CombinationLimiter {
    private struct Day: Hashable {
        let scope: Scope
        let dimension: Dimension
        let day: Int64
    }

    private struct Combination: Hashable {
        let day: Day
        let name: String
        let value: String
    }

    private struct Share: Hashable {
        let day: Day
        let owner: ValueShareOwner
    }

    private let transaction: SQLTransaction
    /// Combinations known to have rollups.
    private var known: Set<Combination> = []
    private var lastNumbers: [Day: Int] = [:]
    /// The numbers of combinations of a day that each visitor and each site introduced.
    private var shares: [Share: Int] = [:]

    init(_ transaction: SQLTransaction) {
        self.transaction = transaction
    }

    /// Returns the event name under which a value is counted: the key's, or ``Rollup/other`` if the day's or the source's limit is reached.
    /// So the totals of each value, and those of each name without a dimension, are always complete.
    mutating func admittedName(of key: Rollup.Key, from source: ValueSource) throws -> String {
        guard let dimension = key.dimension, key.isLimitedCombination else { return key.name }
        let day = Day(scope: key.scope, dimension: dimension, day: key.hour / 24)
        let combination = Combination(day: day, name: key.name, value: key.value)
        if known.contains(combination) { return key.name }
        // A refusal is not cached: the next source may still introduce the combination.
        guard try isAdmitted(combination, from: source) else { return Rollup.other }
        known.insert(combination)
        return key.name
    }

    private mutating func isAdmitted(_ combination: Combination, from source: ValueSource) throws -> Bool {
        let day = combination.day
        let isKnown = try transaction.connection.hasRows(Self.findCombination) { row in
            row.bind(day.scope.app.rawValue)
            row.bind(day.scope.mode.rawValue)
            row.bind(day.dimension.rawValue)
            row.bind(day.day)
            row.bind(combination.name)
            row.bind(combination.value)
        }
        if isKnown { return true }
        let last = try lastNumber(on: day)
        guard try source.mayIntroduceCombination(beside: last, used: { try share(of: $0, on: day) }) else { return false }
        try transaction.connection.execute(
            """
            INSERT INTO rollup_combinations (app_id, mode, dimension, day, name, value, number, source, site)
            VALUES (\(day.scope.app), \(day.scope.mode), \(day.dimension.rawValue), \(day.day), \(combination.name),
                \(combination.value), \(last + 1), \(source.stored), \(source.site))
            """)
        lastNumbers[day] = last + 1
        for owner in source.shareOwners { shares[Share(day: day, owner: owner)]? += 1 }
        return true
    }

    private static let findCombination = StaticSQL(
        """
        SELECT 1 FROM rollup_combinations
        WHERE app_id = $1 AND mode = $2 AND dimension = $3 AND day = $4 AND name = $5 AND value = $6
        """)

    /// Returns the number of combinations of a day. Their last number, because counting them all would stop other writers.
    private mutating func lastNumber(on day: Day) throws -> Int {
        if let number = lastNumbers[day] { return number }
        let number =
            try transaction.connection.first(
                """
                SELECT COALESCE(MAX(number), 0) FROM rollup_combinations WHERE app_id = \(day.scope.app) AND mode = \(day.scope.mode)
                    AND dimension = \(day.dimension.rawValue) AND day = \(day.day)
                """
            ) { Int($0.integer(0)) } ?? 0
        lastNumbers[day] = number
        return number
    }

    private mutating func share(of owner: ValueShareOwner, on day: Day) throws -> Int {
        let share = Share(day: day, owner: owner)
        let count = try shares[share] ?? count(of: owner, on: day)
        shares[share] = count
        return count
    }

    /// Counts the combinations that one visitor or site introduced on a day.
    private func count(of owner: ValueShareOwner, on day: Day) throws -> Int {
        let sql: SQL =
            switch owner {
            case .visitor(let number):
                """
                SELECT COUNT(*) FROM rollup_combinations WHERE app_id = \(day.scope.app) AND mode = \(day.scope.mode)
                    AND dimension = \(day.dimension.rawValue) AND day = \(day.day) AND source = \(number)
                """
            case .unknownVisitors:
                """
                SELECT COUNT(*) FROM rollup_combinations WHERE app_id = \(day.scope.app) AND mode = \(day.scope.mode)
                    AND dimension = \(day.dimension.rawValue) AND day = \(day.day) AND source IS NULL
                """
            case .site(let number):
                """
                SELECT COUNT(*) FROM rollup_combinations WHERE app_id = \(day.scope.app) AND mode = \(day.scope.mode)
                    AND dimension = \(day.dimension.rawValue) AND day = \(day.day) AND site = \(number)
                """
            }
        return try transaction.connection.first(sql) { Int($0.integer(0)) } ?? 0
    }
}
