/// What happened in an hour or a day, counted.
package struct Rollup: Sendable, Equatable {
    /// How much time is counted together.
    package enum Unit: Int64, Sendable, CaseIterable {
        case hour = 1
        /// In UTC.
        case day = 24
    }

    /// What is counted together.
    package struct Key: Sendable, Hashable {
        package let scope: Scope
        package let topic: Topic
        /// Nil in the counts of everything.
        package let dimension: Dimension?
        package let unit: Unit
        /// The first hour since 1970 in UTC.
        package let hour: Int64
        /// Of an event; else empty.
        package let name: String
        /// Empty for what has none.
        package let value: String

        package init(
            scope: Scope, topic: Topic, dimension: Dimension?, unit: Unit, hour: Int64, name: String, value: String
        ) {
            self.scope = scope
            self.topic = topic
            self.dimension = dimension
            self.unit = unit
            self.hour = hour
            self.name = name
            self.value = value
        }

        /// By what differs most. A counted row looks for some ten keys.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(hour)
            hasher.combine(value)
            if !name.isEmpty { hasher.combine(name) }
        }

        /// The day that an hour is counted in, too.
        package var ofDay: Key {
            Key(scope: scope, topic: topic, dimension: dimension, unit: .day, hour: hour / 24 * 24, name: name, value: value)
        }
    }

    package let key: Key
    package let figures: Figures

    package init(key: Key, figures: Figures) {
        self.key = key
        self.figures = figures
    }

    /// What every further value of a dimension becomes on a day that has had ``valuesPerDay``.
    package static let other = "other"
    package static let valuesPerDay = 20_000
    /// Of these, how many may be first brought by visitors and by links that were made with the public key alone. The others are kept for
    /// the links of the app itself, see ``ValueSource``.
    package static let valuesOfVisitors = valuesPerDay / 2
    /// And how many by one visitor (an address or a device), so that a stranger uses up a share and not the day.
    package static let valuesPerVisitor = 1_000
    /// And how many by all visitors together of whom nothing is stored that tells them apart.
    package static let valuesOfUnknownVisitors = valuesOfVisitors / 2
}

/// How often, and for how much.
package struct Figures: Sendable, Equatable {
    package var count: Int64
    /// In the reporting currency.
    package var revenue: MoneySum

    package init(count: Int64 = 0, revenue: MoneySum = MoneySum()) {
        self.count = count
        self.revenue = revenue
    }

    package static func += (left: inout Figures, right: Figures) {
        left.count += right.count
        left.revenue += right.revenue
    }

    package static prefix func - (figures: Figures) -> Figures { Figures(count: -figures.count, revenue: -figures.revenue) }
}

extension Activity {
    package var figures: Figures { Figures(count: 1, revenue: MoneySum(Money(millionths: revenue))) }

    /// Hours since 1970 in UTC.
    package var hour: Int64 { time.hour }

    /// The hours that it is counted in, and the day of its link. The days of the hours follow from them. A value may become
    /// ``Rollup/other`` there.
    package var rollupKeys: [Rollup.Key] {
        let hour = hour
        return [rollupKey(nil, "", .hour, hour)] + Dimension.hourly.map { rollupKey($0, value(of: $0), .hour, hour) }
            + [rollupKey(.link, value(of: .link), .day, hour / 24 * 24)]
    }

    private func rollupKey(_ dimension: Dimension?, _ value: String, _ unit: Rollup.Unit, _ hour: Int64) -> Rollup.Key {
        Rollup.Key(scope: scope, topic: topic, dimension: dimension, unit: unit, hour: hour, name: name, value: value)
    }
}

extension Timestamp {
    /// Hours since 1970 in UTC.
    package var hour: Int64 { milliseconds / Timestamp.millisecondsPerHour }
    package static let millisecondsPerHour: Int64 = 3_600_000

    package init(hour: Int64) { self.init(milliseconds: hour * Timestamp.millisecondsPerHour) }
}

/// By how much the rows of an hour may differ from what was counted.
package struct RollupChanges: Sendable, Equatable {
    /// So many were counted and deleted since.
    package var removed: Int64
    /// So many were given to another link.
    package var moved: Int64

    package init(removed: Int64 = 0, moved: Int64 = 0) {
        self.removed = removed
        self.moved = moved
    }
}

package protocol RollupReader {
    /// The counters of some hours by a dimension or, without one, of everything: those of each name and value together.
    ///
    /// - Parameter hours: whole days for the unit of a day.
    func rollupSums(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, _ unit: Rollup.Unit, hours: Range<Int64>
    ) throws -> [Rollup.Sum]
    /// The same, one by one.
    func rollups(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, _ unit: Rollup.Unit, hours: Range<Int64>
    ) throws -> [Rollup]
    /// The last id of a log that is counted.
    func rolledUpThrough(_ log: ActivityLog) throws -> Int64
    /// The last id of a log that was removed for its age; 0 if none was. Rows that were erased on request are no sign of it.
    func prunedThrough(_ log: ActivityLog) throws -> Int64
    /// The oldest rows of a log before `horizon` that are not counted yet, at most `limit`; nil if there are none.
    func nextRollups(of log: ActivityLog, before horizon: Timestamp, limit: Int) throws -> RollupBatch?
    /// The values that a day has counters of its own for.
    func rollupValues(of scope: Scope, by dimension: Dimension, day: Int64) throws -> Set<String>
    func rollupChanges(of scope: Scope, _ topic: Topic, hours: Range<Int64>) throws -> [Int64: RollupChanges]
    /// Every side of every app that ever had counters.
    func scopesWithRollups() throws -> [Scope]
}

package protocol RollupRepository: RollupReader {
    /// Adds a batch to the counters. Does nothing if its rows were counted or changed since it was read; then it is to be read again.
    func add(_ batch: RollupBatch) throws
}

extension Rollup {
    /// The counters of several hours.
    package struct Sum: Sendable {
        package let name: String
        package let value: String
        package let figures: Figures

        package init(name: String, value: String, figures: Figures) {
            self.name = name
            self.value = value
            self.figures = figures
        }
    }
}
