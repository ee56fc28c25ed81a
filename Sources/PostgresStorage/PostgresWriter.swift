import Foundation
import LindenKernel
import SQLStorage
import Synchronization

/// The single writer thread. Writers of all processes take turns, see ``PostgresTurn``: what one has committed is visible to the next, and ids
/// of the logs become visible in their order.
final class PostgresWriter: Sendable {
    /// The interval between checks for changes by other processes.
    private static let watchInterval: Duration = .milliseconds(250)

    private let queue: CallQueue
    private let thread: WriterThread
    private let shared = WriterState()

    init(connection: PostgresConnection, options: PostgresOptions, state: SQLState, clock: WallClock, health: StorageHealth) {
        queue = CallQueue(limit: options.queueLimit, health: health, refused: options.metrics.refusedWrites)
        thread = WriterThread(
            connection: connection, options: options, state: state, clock: clock, health: health, shared: shared)
        Thread.detachNewThread { [self] in run() }
        Task.detached { [weak self] in
            while (try? await Task.sleep(for: Self.watchInterval / 2, clock: .continuous)) != nil {
                guard let self, queue.wake() else { return }
            }
        }
    }

    func perform<Value: Sendable>(_ body: @escaping @Sendable (SQLTransaction) throws -> Value) async throws -> Value {
        try await queue.perform(body)
    }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (SQLTransaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        queue.perform(body, then: deliver)
    }

    /// The number of observed changes by other processes.
    var foreignChanges: Int { shared.foreignChanges.load(ordering: .relaxed) }

    var isLeader: Bool { shared.isLeader.load(ordering: .relaxed) }

    /// The number of calls that wait.
    var waiting: Int { queue.waiting }

    /// See ``CallQueue/longestWait``.
    var longestWait: Duration { queue.longestWait }

    /// See ``CallQueue/stall``.
    var stall: Duration { queue.stall }

    func shutdown() async {
        await queue.close()
    }

    private func run() {
        var nextLook = ContinuousClock.now + Self.watchInterval
        serve: while true {
            switch queue.next() {
            case .call(let call):
                // Callers that are about to write do so first, and share the commit.
                sched_yield()
                thread.commit(call, and: queue.waiting, from: queue)
            case .nothing: break
            case .closed: break serve
            }
            guard ContinuousClock.now >= nextLook else { continue }
            nextLook = .now + Self.watchInterval
            thread.watch()
        }
        thread.finish()
        queue.didFinish()
    }
}

/// What the writer thread tells others.
final class WriterState: Sendable {
    /// The number of times that it has seen changes by other processes.
    let foreignChanges = Atomic<Int>(0)
    let isLeader = Atomic<Bool>(false)
}
