import Synchronization

/// Makes row ids: 63-bit numbers in the order of time, of 18 decimal digits until 2032.
///
/// 41 bits of milliseconds since 2025-01-01, 10 bits of node, 12 bits of sequence. Two processes never make the same id because
/// each holds a node number of its own, leased for a limited time; an id beyond the lease is never made.
package final class IDGenerator: Sendable {
    /// A node number and the time until which it is ours.
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
    }

    private let state = Mutex(State())

    package init() {}

    package var lease: Lease? {
        get { state.withLock { $0.lease } }
        set { state.withLock { $0.lease = newValue } }
    }

    /// The latest time that is in an id, for the row that gives the node back.
    package var latest: Timestamp {
        Timestamp(milliseconds: state.withLock { $0.milliseconds } + IDGenerator.epoch.milliseconds)
    }

    /// Makes only ids above this one from now on.
    package func skip(past id: Int64) {
        state.withLock { state in
            guard id >> 22 >= state.milliseconds else { return }
            state.milliseconds = id >> 22 + 1
            state.sequence = 0
        }
    }

    /// The next id. Never goes back, even if the clock does; 4,096 ids in one millisecond borrow from the next.
    package func next(at now: Timestamp) throws -> Int64 {
        try state.withLock { state in
            guard let lease = state.lease else { throw Failure.unavailable("This process holds no node number yet.") }
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
                throw Failure.unavailable("This process's node number has lapsed; it is being renewed.")
            }
            return state.milliseconds << 22 | lease.node << 12 | state.sequence
        }
    }

    /// The smallest id that could be made at a moment: the boundary of everything older. Ids end in September 2094, and a later moment is
    /// taken for their end.
    package static func first(at moment: Timestamp) -> Int64 {
        min(max(0, moment.milliseconds - epoch.milliseconds), (1 << 41) - 1) << 22
    }

    /// When an id was made.
    package static func time(of id: Int64) -> Timestamp {
        Timestamp(milliseconds: id >> 22 + epoch.milliseconds)
    }
}

extension Identifier {
    /// When the row was written: ids carry their time.
    package var time: Timestamp { IDGenerator.time(of: rawValue) }
}
