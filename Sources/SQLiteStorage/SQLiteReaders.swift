import Foundation
import Linden
import SQLStorage

/// The reader threads, each with its own connection, opened at the start.
final class SQLiteReaders: Sendable {
    private let queue: JobQueue
    private let threads: [ReaderThread]

    init(
        _ count: Int, path: String, _ options: SQLiteOptions, state: SQLState, clock: WallClock, health: StorageHealth
    ) throws {
        queue = JobQueue(limit: options.queueLimit, health: health)
        threads = try (0..<max(1, count)).map { _ in
            let connection = try SQLiteConnection(path: path, access: .readOnly)
            try connection.execute(script: SQLiteOptions.readerPragmas)
            return ReaderThread(connection: connection, state: state, clock: clock)
        }
        queue.expectWorkers(threads.count)
        for thread in threads {
            Thread.detachNewThread { [queue] in
                while let jobs = queue.next(upTo: 1) {
                    for job in jobs { thread.run(job) }
                }
                thread.connection.close()
                queue.didFinish()
            }
        }
    }

    func perform<Value: Sendable>(_ body: @escaping @Sendable (SQLTransaction) throws -> Value) async throws -> Value {
        try await queue.perform(body)
    }

    func shutdown() async {
        await queue.close()
    }
}

/// The state that only one reader thread accesses.
private final class ReaderThread: @unchecked Sendable {
    let connection: SQLiteConnection
    private let state: SQLState
    private let clock: WallClock

    init(connection: SQLiteConnection, state: SQLState, clock: WallClock) {
        self.connection = connection
        self.state = state
        self.clock = clock
    }

    func run(_ job: any Job) {
        do {
            // One snapshot for all statements of the closure.
            try connection.execute("BEGIN")
            _ = job.run(SQLTransaction(connection: connection, state: state, now: clock.now()))
            try connection.execute("COMMIT")
            job.deliver()
        } catch {
            connection.rollBack()
            job.fail(with: error)
        }
    }
}
