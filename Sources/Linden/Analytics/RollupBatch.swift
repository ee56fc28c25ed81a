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
    private var sources: [Rollup.Key: Int64] = [:]

    package init() {}

    package mutating func add(_ activity: Activity) {
        for key in activity.rollupKeys {
            if let source = activity.source, figures[key] == nil { sources[key] = source }
            add(activity.figures, to: key)
        }
    }

    /// Who was the first to be counted there, see ``Activity/source``.
    package func source(of key: Rollup.Key) -> Int64? { sources[key] }

    package mutating func add(_ more: Figures, to key: Rollup.Key) {
        figures[key, default: Figures()] += more
    }
}

extension RollupSums: Sequence {
    package func makeIterator() -> some IteratorProtocol<(key: Rollup.Key, value: Figures)> { figures.makeIterator() }
}
