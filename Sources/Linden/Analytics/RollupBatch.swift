import OrderedCollections

/// Rows of a log that are not counted yet, added up by a reader for a writer to add to the counters.
package struct RollupBatch: Sendable {
    package let log: ActivityLog
    /// What was counted when it was read.
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

/// How far a log is counted.
package struct RollupState: Sendable, Equatable {
    /// The last id that is; 0 for none.
    package let through: Int64
    /// How often an uncounted row was deleted or given to another link: what was read of it before is out of date.
    package let changes: Int64

    package init(through: Int64, changes: Int64) {
        self.through = through
        self.changes = changes
    }
}

/// Figures by what they are counted in, in the order in which it first came.
package struct RollupSums: Sendable {
    private var figures: OrderedDictionary<Rollup.Key, Figures> = [:]
    private var sources: [Rollup.Key: Source] = [:]

    /// The origin of an event's name and of a key's value.
    private struct Source {
        let name: ValueSource
        var value: ValueSource
    }

    package init() {}

    package mutating func add(_ activity: Activity) {
        for key in activity.rollupKeys { add(activity.figures, to: key, of: activity) }
    }

    /// The origin of the name of what was counted there first.
    package func nameSource(of key: Rollup.Key) -> ValueSource { sources[key]?.name ?? .unknown }

    /// The origin of the value of what was counted there: the app's, if anything of it is, else that of what was first.
    package func valueSource(of key: Rollup.Key) -> ValueSource { sources[key]?.value ?? .unknown }

    /// Adds to the figures of a key what an activity adds to them.
    package mutating func add(_ more: Figures, to key: Rollup.Key, of activity: Activity) {
        let value = key.dimension.map(activity.source(of:)) ?? .unknown
        if figures[key] == nil {
            sources[key] = Source(name: activity.source(of: .name), value: value)
        } else if value == .app {
            sources[key]?.value = .app
        }
        figures[key, default: Figures()] += more
    }
}

extension RollupSums: Sequence {
    package func makeIterator() -> some IteratorProtocol<(key: Rollup.Key, value: Figures)> { figures.makeIterator() }
}
