import OrderedCollections

/// The totals of log rows that are not counted yet, computed by a reader and added to the rollups by a writer.
package struct RollupBatch: Sendable {
    package let log: ActivityLog
    /// The state of the log when the batch was read.
    package let state: RollupState
    package let last: Int64
    package let sums: RollupSums

    package init(log: ActivityLog, state: RollupState, last: Int64, sums: RollupSums) {
        self.log = log
        self.state = state
        self.last = last
        self.sums = sums
    }
}

/// The aggregation state of a log.
package struct RollupState: Sendable, Equatable {
    /// The last id that is counted; 0 for none.
    package let through: Int64
    /// The number of times that an uncounted row was deleted or credited to another link. A batch read before such a change is out of date.
    package let changes: Int64

    package init(through: Int64, changes: Int64) {
        self.through = through
        self.changes = changes
    }
}

/// Totals by rollup key, in the order in which the keys first occurred.
package struct RollupSums: Sendable {
    private var figures: OrderedDictionary<Rollup.Key, AggregateTotals> = [:]
    private var sources: [Rollup.Key: Source] = [:]

    /// The sources of a key's event name and value.
    private struct Source {
        let name: ValueSource
        var value: ValueSource
    }

    package init() {}

    package mutating func add(_ activity: AnalyticsRecord) {
        for key in activity.rollupKeys { add(activity.figures, to: key, of: activity) }
    }

    /// Returns the source of the event name of the first record with this key.
    package func nameSource(of key: Rollup.Key) -> ValueSource { sources[key]?.name ?? .unknown }

    /// Returns the source of a key's value: ``ValueSource/app`` if it is that of any record, otherwise that of the first record.
    package func valueSource(of key: Rollup.Key) -> ValueSource { sources[key]?.value ?? .unknown }

    /// Adds totals of a record to those of a key.
    package mutating func add(_ more: AggregateTotals, to key: Rollup.Key, of activity: AnalyticsRecord) {
        let value = key.dimension.map(activity.source(of:)) ?? .unknown
        if figures[key] == nil {
            sources[key] = Source(name: activity.source(of: .name), value: value)
        } else if value == .app {
            sources[key]?.value = .app
        }
        figures[key, default: AggregateTotals()] += more
    }
}

extension RollupSums: Sequence {
    package func makeIterator() -> some IteratorProtocol<(key: Rollup.Key, value: AggregateTotals)> { figures.makeIterator() }
}
