import Synchronization

/// Counts by key, in memory, that are taken out to be reported: at once the first time, later at most once a minute.
final class PeriodicCounts<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var counts: [Key: Int64] = [:]
        var takenAt: Timestamp?
    }

    /// Keys that are counted between two reports.
    private let capacity: Int
    private let interval: Duration
    private let clock: WallClock
    private let state = Mutex(State())

    init(capacity: Int = 1000, interval: Duration = .seconds(60), clock: WallClock) {
        self.capacity = capacity
        self.interval = interval
        self.clock = clock
    }

    /// Counts one. Cheap: some look-ups under a lock.
    ///
    /// - Parameter rest: what a key counts as that comes when there are ``capacity`` others; nil for not at all. There are at most as many
    ///   of these again.
    func add(_ key: Key, orElse rest: Key? = nil) {
        state.withLock { state in
            if state.counts.count < capacity || state.counts[key] != nil {
                state.counts[key, default: 0] += 1
            } else if let rest, state.counts.count < 2 * capacity || state.counts[rest] != nil {
                state.counts[rest, default: 0] += 1
            }
        }
    }

    /// Takes out what was counted since the last report, if it is time for another; otherwise nothing.
    func take() -> [Key: Int64] {
        let now = clock.now()
        return state.withLock { state in
            guard !state.counts.isEmpty, state.takenAt.map({ now >= $0 + interval }) ?? true else { return [:] }
            defer { state = State(takenAt: now) }
            return state.counts
        }
    }
}
