import Synchronization

/// A generator of row ids: 63-bit integers ordered by time, with 18 decimal digits until 2032.
///
/// 41 bits of milliseconds since 2025-01-01, 10 bits of node, 12 bits of sequence. Ids are unique across processes because each process
/// holds its own node number, leased for a limited time; no id is generated beyond the lease.
package final class IDGenerator: Sendable {
    /// A node number and the end of its lease.
    package struct Lease: Sendable {
        package let node: Int64
        package let until: Timestamp

        package init(node: Int64, until: Timestamp) {
            self.node = node
            self.until = until
        }
    }

    package static let epoch = Timestamp(milliseconds: 1_735_689_600_000)
    package static let nodes: Range<Int64> = 0..<1024

    private struct State {
        var lease: Lease?
        var milliseconds: Int64 = 0
        var sequence: Int64 = 0
        var latest: Int64 = 0
    }

    private let state = Mutex(State())

    package init() {}

    package var lease: Lease? {
        get { state.withLock { $0.lease } }
        set { state.withLock { $0.lease = newValue } }
    }

    /// The time of the latest id, to be stored when the node number is released.
    package var latest: Timestamp {
        Timestamp(milliseconds: state.withLock { $0.milliseconds } + IDGenerator.epoch.milliseconds)
    }

    /// The latest id; 0 if none was made.
    package var latestID: Int64 { state.withLock(\.latest) }

    /// Ensures that all later ids are greater than this one.
    package func skip(past id: Int64) {
        state.withLock { state in
            guard id >> 22 >= state.milliseconds else { return }
            state.milliseconds = (id >> 22) + 1
            state.sequence = 0
        }
    }

    /// Returns the next id. Ids always increase, even if the clock goes back; beyond 4,096 ids in one millisecond they use the next. Fails
    /// with `unavailable` without a lease, or after its end.
    package func next(at now: Timestamp) throws -> Int64 {
        try state.withLock { state in
            guard let lease = state.lease else { throw Failure.unavailable("This process has no node number yet.") }
            let current = now.milliseconds - IDGenerator.epoch.milliseconds
            if current > state.milliseconds {
                state.milliseconds = current
                state.sequence = 0
            } else if state.sequence < 4095 {
                state.sequence += 1
            } else {
                state.milliseconds += 1
                state.sequence = 0
            }
            guard state.milliseconds + IDGenerator.epoch.milliseconds <= lease.until.milliseconds else {
                throw Failure.unavailable("This process's node number has expired and is being renewed.")
            }
            state.latest = state.milliseconds << 22 | lease.node << 12 | state.sequence
            return state.latest
        }
    }

    /// Returns the smallest id that could be generated at a time: a lower bound for rows of that time and later. Ids end in September 2094;
    /// a later time is clamped to that.
    package static func first(at moment: Timestamp) -> Int64 {
        min(max(0, moment.milliseconds - epoch.milliseconds), (1 << 41) - 1) << 22
    }

    /// Returns the time at which an id was generated.
    package static func time(of id: Int64) -> Timestamp {
        Timestamp(milliseconds: (id >> 22) + epoch.milliseconds)
    }
}

extension Identifier {
    /// The time of the row, from its id.
    package var time: Timestamp { IDGenerator.time(of: rawValue) }
}
