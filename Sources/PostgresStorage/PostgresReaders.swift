import CoreMetrics
import Foundation
import LindenKernel
import SQLStorage

/// The reader threads, each with its own connection, opened at the start.
final class PostgresReaders: Sendable {
    private let queue: CallQueue

    /// - Parameters:
    ///   - timeLimit: the longest time of a call; nil for any.
    ///   - refused: counts calls that are refused because too many wait.
    init(
        _ count: Int, _ session: PostgresSession, queueLimit: Int, state: SQLState, clock: WallClock, health: StorageHealth,
        timeLimit: Duration? = nil, refused: Counter
    ) throws {
        queue = CallQueue(limit: queueLimit, health: health, refused: refused)
        let threads = try (0..<max(1, count)).map { _ in
            ReaderThread(connection: try PostgresConnection(session), state: state, clock: clock, timeLimit: timeLimit)
        }
        queue.expectWorkers(threads.count)
        for thread in threads {
            Thread.detachNewThread { [queue] in
                serve: while true {
                    switch queue.next() {
                    case .call(let call): thread.run(call)
                    case .nothing: continue
                    case .closed: break serve
                    }
                }
                thread.connection.close()
                queue.didFinish()
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

    func shutdown() async {
        await queue.close()
    }
}

/// The state that only one reader thread accesses.
private final class ReaderThread: @unchecked Sendable {
    let connection: PostgresConnection
    private let state: SQLState
    private let clock: WallClock
    private let timeLimit: Duration?

    init(connection: PostgresConnection, state: SQLState, clock: WallClock, timeLimit: Duration?) {
        self.connection = connection
        self.state = state
        self.clock = clock
        self.timeLimit = timeLimit
    }

    func run(_ call: any QueuedCall) {
        do {
            // One snapshot for all statements of the closure.
            try connection.beginWithStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        } catch {
            return call.fail(with: error)
        }
        connection.deadline = timeLimit.map { .now + $0 }
        _ = call.run(SQLTransaction(connection: connection, state: state, now: clock.now()))
        connection.deadline = nil
        // Whether a transaction that only reads is committed does not matter to its caller, who need not wait for it.
        call.deliver()
        connection.sendRollBack()
    }
}
