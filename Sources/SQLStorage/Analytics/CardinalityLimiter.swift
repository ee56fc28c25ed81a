import Linden
import LindenKernel
import LindenReporting

/// Admits the distinct values of a dimension per day, as far as ``ValueShares`` have room.
struct CardinalityLimiter {
    private let transaction: SQLTransaction
    /// Values known to have counters.
    private var known: [ValueShares.Day: Set<BytewiseText>] = [:]
    private var shares: ValueShares

    init(_ transaction: SQLTransaction) {
        self.transaction = transaction
        shares = ValueShares(of: .values, transaction)
    }

    /// Returns the value, or ``Rollup/other`` if the day's or the source's limit is reached.
    mutating func admitted(
        _ value: String, as dimension: Dimension, _ key: Rollup.Key, from source: ValueSource
    ) throws -> String {
        guard !value.isEmpty else { return "" }
        let day = ValueShares.Day(scope: key.scope, dimension: dimension, day: key.hour / 24)
        if known[day]?.contains(BytewiseText(value)) == true { return value }
        // A refusal is not cached: the next source may still introduce the value.
        guard try isAdmitted(value, day, from: source) else { return Rollup.other }
        known[day, default: []].insert(BytewiseText(value))
        return value
    }

    private mutating func isAdmitted(_ value: String, _ day: ValueShares.Day, from source: ValueSource) throws -> Bool {
        let isKnown = try transaction.connection.hasRows(Self.findValue) { row in
            row.bind(day.scope.app.rawValue)
            row.bind(day.scope.mode.rawValue)
            row.bind(day.dimension.rawValue)
            row.bind(day.day)
            row.bind(value)
        }
        if isKnown { return true }
        guard try shares.hasRoom(for: source, on: day) else { return false }
        try transaction.connection.execute(
            """
            INSERT INTO rollup_values (app_id, mode, dimension, day, value)
            VALUES (\(day.scope.app), \(day.scope.mode), \(day.dimension.rawValue), \(day.day), \(value))
            """)
        try shares.add(from: source, on: day)
        return true
    }

    private static let findValue = StaticSQL(
        "SELECT 1 FROM rollup_values WHERE app_id = $1 AND mode = $2 AND dimension = $3 AND day = $4 AND value = $5")
}
