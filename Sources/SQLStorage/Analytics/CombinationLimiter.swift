import Linden
import LindenKernel
import LindenReporting

/// Admits the combinations of an event's name and a value of a dimension per day, as far as ``ValueShares`` have room.
struct CombinationLimiter {
    private struct Combination: Hashable {
        let day: ValueShares.Day
        let name: BytewiseText
        let value: BytewiseText
    }

    private let transaction: SQLTransaction
    /// Combinations known to have rollups.
    private var known: Set<Combination> = []
    private var shares: ValueShares

    init(_ transaction: SQLTransaction) {
        self.transaction = transaction
        shares = ValueShares(of: .combinations, transaction)
    }

    /// Returns the event name under which a value is counted: the key's, or ``Rollup/other`` if the day's or the source's limit is reached.
    /// So the totals of each value, and those of each name without a dimension, are always complete.
    mutating func admittedName(of key: Rollup.Key, from source: ValueSource) throws -> String {
        guard let dimension = key.dimension, key.isLimitedCombination else { return key.name }
        let day = ValueShares.Day(scope: key.scope, dimension: dimension, day: key.hour / 24)
        let combination = Combination(day: day, name: BytewiseText(key.name), value: BytewiseText(key.value))
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
            row.bind(combination.name.text)
            row.bind(combination.value.text)
        }
        if isKnown { return true }
        guard try shares.hasRoom(for: source, on: day) else { return false }
        try transaction.connection.execute(
            """
            INSERT INTO rollup_combinations (app_id, mode, dimension, day, name, value)
            VALUES (\(day.scope.app), \(day.scope.mode), \(day.dimension.rawValue), \(day.day), \(combination.name.text),
                \(combination.value.text))
            """)
        try shares.add(from: source, on: day)
        return true
    }

    private static let findCombination = StaticSQL(
        """
        SELECT 1 FROM rollup_combinations
        WHERE app_id = $1 AND mode = $2 AND dimension = $3 AND day = $4 AND name = $5 AND value = $6
        """)
}
