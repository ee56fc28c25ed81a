import Synchronization

/// In-memory counts by key for periodic reports: the first at once, later ones at most once a minute.
package final class PeriodicCounts<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var counts: [Key: Int64] = [:]
        var takenAt: Timestamp?
        var total: Int64 = 0
    }

    /// The maximum number of keys between two reports.
    private let capacity: Int
    private let interval: Duration
    private let clock: WallClock
    private let state = Mutex(State())

    package init(capacity: Int = 1000, interval: Duration = .seconds(60), clock: WallClock) {
        self.capacity = capacity
        self.interval = interval
        self.clock = clock
    }

    /// Counts one occurrence. Costs a few look-ups under a lock.
    ///
    /// - Parameter rest: the key to count in place of `key` if there are ``capacity`` others already; nil for none. There is room for as
    ///   many of these again.
    package func add(_ key: Key, orElse rest: Key? = nil) {
        state.withLock { state in
            state.total += 1
            if state.counts.count < capacity || state.counts[key] != nil {
                state.counts[key, default: 0] += 1
            } else if let rest, state.counts.count < 2 * capacity || state.counts[rest] != nil {
                state.counts[rest, default: 0] += 1
            }
        }
    }

    /// The number of occurrences of all keys since the start.
    package var total: Int64 { state.withLock(\.total) }

    /// Returns and resets the counts since the last report if a report is due; otherwise returns nothing.
    package func take() -> [Key: Int64] {
        let now = clock.now()
        return state.withLock { state in
            guard !state.counts.isEmpty, state.takenAt.map({ now >= $0 + interval }) ?? true else { return [:] }
            defer { state = State(takenAt: now, total: state.total) }
            return state.counts
        }
    }
}
