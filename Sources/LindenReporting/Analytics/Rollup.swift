import Linden
import LindenKernel

/// The totals of one hour or day for one key.
package struct Rollup: Sendable, Equatable {
    /// The length of time that a rollup covers.
    package enum Unit: Int64, Sendable, CaseIterable {
        case hour = 1
        /// A day in UTC.
        case day = 24
    }

    /// The properties that the records of a rollup share.
    package struct Key: Sendable, Hashable {
        package let scope: Scope
        package let topic: Topic
        /// Nil for rollups without a dimension.
        package let dimension: Dimension?
        package let unit: Unit
        /// The first hour, counted since 1970 in UTC.
        package let hour: Int64
        /// The name of an event; empty for other topics.
        package var name: String
        /// The value of the dimension; empty for none.
        package var value: String

        package init(
            scope: Scope, topic: Topic, dimension: Dimension?, unit: Unit, hour: Int64, name: String, value: String
        ) {
            self.scope = scope
            self.topic = topic
            self.dimension = dimension
            self.unit = unit
            self.hour = hour
            self.name = Rollup.counted(name)
            self.value = Rollup.counted(value)
        }

        /// Compares the bytes of texts, as the database does.
        package static func == (one: Key, other: Key) -> Bool {
            one.hour == other.hour && one.dimension == other.dimension && one.unit == other.unit && one.topic == other.topic
                && one.scope == other.scope && one.value.hasSameBytes(as: other.value) && one.name.hasSameBytes(as: other.name)
        }

        /// Hashes only the properties that differ most, because each counted row looks up about ten keys.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(hour)
            value.hashBytes(into: &hasher)
            if !name.isEmpty { name.hashBytes(into: &hasher) }
        }

        /// Whether the key belongs to a combination of name and value whose number is limited.
        package var isLimitedCombination: Bool { !name.isEmpty && !value.isEmpty && name != Rollup.other && value != Rollup.other }

        /// The key of the daily rollup that includes an hourly one.
        package var ofDay: Key {
            Key(scope: scope, topic: topic, dimension: dimension, unit: .day, hour: hour / 24 * 24, name: name, value: value)
        }
    }

    package let key: Key
    package let figures: AggregateTotals

    package init(key: Key, figures: AggregateTotals) {
        self.key = key
        self.figures = figures
    }

    /// The value that replaces new values of a dimension on a day that has reached a limit such as ``valuesPerDay``.
    package static let other = "other"
    package static let valuesPerDay = 20_000
    /// The share of ``valuesPerDay`` for values first used by visitors and by links created with the public key alone. The remainder is
    /// reserved for links that the app itself created, see ``ValueSource``.
    package static let valuesOfVisitors = valuesPerDay / 2
    /// The shares of ``valuesOfVisitors`` for one visitor (an address or a device) and for all visitors of one site, so that a single client
    /// cannot use up the limit of a day.
    package static let valuesPerVisitor = NetworkShares(address: 1_000)
    /// The share of ``valuesOfVisitors`` for all visitors without an address or device id stored.
    package static let valuesOfUnknownVisitors = valuesOfVisitors / 2
    /// The limit of the combinations of an event's name and a value of one dimension on a day. The shares of visitors and sites are those
    /// of values.
    package static let combinationsPerDay = 100_000

    /// Returns the part of a name or value that is counted: texts that agree in it are one. An index of PostgreSQL takes 2,704 bytes in all.
    static func counted(_ text: String) -> String { text.prefix(bytes: 512) }
}

/// Totals: a number of records and their revenue.
package struct AggregateTotals: Sendable, Equatable {
    package var count: Int64
    /// Revenue in the reporting currency.
    package var revenue: MoneySum

    package init(count: Int64 = 0, revenue: MoneySum = MoneySum()) {
        self.count = count
        self.revenue = revenue
    }

    package static func += (left: inout AggregateTotals, right: AggregateTotals) {
        left.count += right.count
        left.revenue += right.revenue
    }

    package static prefix func - (figures: AggregateTotals) -> AggregateTotals {
        AggregateTotals(count: -figures.count, revenue: -figures.revenue)
    }
}

extension AnalyticsRecord {
    package var figures: AggregateTotals { AggregateTotals(count: 1, revenue: MoneySum(Money(millionths: revenue))) }

    /// Hours since 1970 in UTC.
    package var hour: Int64 { time.hour }

    /// The keys of the hourly rollups that include the record, and of the daily ones of ``Dimension/dailyOnly(of:)``. Other daily keys
    /// follow from the hourly ones. The value may be replaced by ``Rollup/other`` when it is stored.
    package var rollupKeys: [Rollup.Key] { commonRollupKeys + visitorRollupKeys }

    /// The keys of all topics.
    var commonRollupKeys: [Rollup.Key] {
        let hour = hour
        return [rollupKey(nil, "", .hour, hour)] + Dimension.hourly.map { rollupKey($0, value(of: $0), .hour, hour) }
            + Dimension.dailyOnly.map { rollupKey($0, value(of: $0), .day, hour / 24 * 24) }
    }

    /// The keys of ``Dimension/ofVisitors``; none for other topics than clicks.
    var visitorRollupKeys: [Rollup.Key] {
        guard topic == .click else { return [] }
        return Dimension.ofVisitors.map { rollupKey($0, value(of: $0), .day, hour / 24 * 24) }
    }

    private func rollupKey(_ dimension: Dimension?, _ value: String, _ unit: Rollup.Unit, _ hour: Int64) -> Rollup.Key {
        Rollup.Key(scope: scope, topic: topic, dimension: dimension, unit: unit, hour: hour, name: name, value: value)
    }
}

extension Timestamp {
    /// Hours since 1970 in UTC.
    package var hour: Int64 { milliseconds.flooredQuotient(Timestamp.millisecondsPerHour) }
    package static let millisecondsPerHour: Int64 = 3_600_000

    package init(hour: Int64) { self.init(milliseconds: hour * Timestamp.millisecondsPerHour) }
}

/// The differences between the rollups of an hour and its rows.
package struct RollupChanges: Sendable, Equatable {
    /// The number of rows that were counted and then deleted.
    package var removed: Int64
    /// The number of counted rows whose credited link or visitor data changed since.
    package var moved: Int64

    package init(removed: Int64 = 0, moved: Int64 = 0) {
        self.removed = removed
        self.moved = moved
    }
}

package protocol RollupReader {
    /// Visits the totals of a range of hours by a dimension or, for nil, without one.
    ///
    /// - Parameters:
    ///   - hours: a range of whole days if the unit is a day.
    ///   - named: whether each combination of name and value has a sum of its own, or each value one for all names, with an empty name.
    func visitRollupSums(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, named: Bool, _ unit: Rollup.Unit, hours: Range<Int64>,
        _ body: (Rollup.Sum) throws -> Void
    ) throws
    /// Visits the daily totals of a topic, without a dimension, each with its first hour since 1970.
    ///
    /// - Parameter hours: a range of whole days.
    func visitDailyTotals(
        of scope: Scope, _ topic: Topic, hours: Range<Int64>, _ body: (_ hour: Int64, AggregateTotals) throws -> Void
    ) throws
    /// Visits the daily totals of one value of a dimension, for a topic whose records have no names. Reads one row a day.
    ///
    /// - Parameter hours: a range of whole days.
    func visitDailyTotals(
        of scope: Scope, _ topic: Topic, by dimension: Dimension, value: String, hours: Range<Int64>,
        _ body: (_ hour: Int64, AggregateTotals) throws -> Void
    ) throws
    /// Returns the number of daily rollups by a dimension.
    func rollupCount(of scope: Scope, _ topic: Topic, by dimension: Dimension?, day: Int64) throws -> Int64
    /// Visits the rollups of a range of hours individually; `hours` as for the sums.
    func visitRollups(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, _ unit: Rollup.Unit, hours: Range<Int64>,
        _ body: (Rollup) throws -> Void
    ) throws
    /// Returns the last id of a log that the rollups include (the aggregation cursor).
    func rolledUpThrough(_ log: ActivityLog) throws -> Int64
    /// Returns the last id of a log that was deleted for its age; 0 for none. Rows erased on request do not change it.
    func prunedThrough(_ log: ActivityLog) throws -> Int64
    /// Returns the oldest rows of a log before `watermark` that are not counted yet, within a limit; nil if there are none.
    func nextRollups(of log: ActivityLog, before watermark: Timestamp, limit: CountingLimit) throws -> RollupBatch?
    /// Visits the values that have rollups of their own on a day.
    func visitRollupValues(of scope: Scope, by dimension: Dimension, day: Int64, _ body: (String) throws -> Void) throws
    /// Visits the combinations of an event's name and a value that have rollups of their own on a day.
    func visitRollupCombinations(
        of scope: Scope, by dimension: Dimension, day: Int64, _ body: (_ name: String, _ value: String) throws -> Void
    ) throws
    func rollupChanges(of scope: Scope, _ topic: Topic, hours: Range<Int64>) throws -> [Int64: RollupChanges]
    /// Returns the scopes of all apps that have, or had, a key; rollups exist for no others.
    func scopesWithRollups() throws -> [Scope]
}

package protocol RollupRepository: RollupReader {
    /// Adds a batch to the rollups. Does nothing if its rows were counted or changed since it was read, and returns false.
    @discardableResult
    func add(_ batch: RollupBatch) throws -> Bool
}

extension Rollup {
    /// The totals of several hours.
    package struct Sum: Sendable {
        package let name: String
        package let value: String
        package let figures: AggregateTotals

        package init(name: String, value: String, figures: AggregateTotals) {
            self.name = name
            self.value = value
            self.figures = figures
        }
    }
}
