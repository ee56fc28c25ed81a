import CoreMetrics
import Foundation
import LindenKernel
import SQLStorage

/// The reader threads, each with its own connection, opened at the start.
final class SQLiteReaders: Sendable {
    private let queue: CallQueue
    private let threads: [ReaderThread]

    /// - Parameters:
    ///   - givesWay: whether the calls are questions, whose threads have a low priority, so that redirects and SDK calls come first.
    ///   - timeLimit: the longest time of a call; nil for any.
    ///   - relief: what calls wait for before they begin.
    ///   - refused: counts calls that are refused because too many wait.
    init(
        _ count: Int, path: String, _ options: SQLiteOptions, state: SQLState, clock: WallClock, health: StorageHealth,
        relief: LogRelief, givesWay: Bool = false, timeLimit: Duration? = nil, refused: Counter
    ) throws {
        queue = CallQueue(limit: options.queueLimit, health: health, refused: refused)
        threads = try (0..<max(1, count)).map { _ in
            let connection = try SQLiteConnection(path: path, access: .readOnly)
            try connection.execute(script: SQLiteOptions.readerPragmas)
            return ReaderThread(
                connection: connection, state: state, clock: clock, timeLimit: timeLimit, relief: relief, asksQuestions: givesWay)
        }
        queue.expectWorkers(threads.count)
        for thread in threads {
            Thread.detachNewThread { [queue] in
                if givesWay { Self.giveWay() }
                serve: while true {
                    switch queue.next() {
                    case .call(let call): thread.serve(call)
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

    /// Lowers the priority of the calling thread to that of the server's background threads.
    private static func giveWay() {
        #if os(Linux)
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #endif
    }
}

/// The state that only one reader thread accesses.
private final class ReaderThread: @unchecked Sendable {
    let connection: SQLiteConnection
    private let state: SQLState
    private let clock: WallClock
    private let timeLimit: Duration?
    private let relief: LogRelief
    private let asksQuestions: Bool

    init(
        connection: SQLiteConnection, state: SQLState, clock: WallClock, timeLimit: Duration?, relief: LogRelief,
        asksQuestions: Bool
    ) {
        self.asksQuestions = asksQuestions
        self.timeLimit = timeLimit
        self.relief = relief
        self.connection = connection
        self.state = state
        self.clock = clock
    }

    func serve(_ call: any QueuedCall) {
        if asksQuestions { relief.run(question: { run(call) }) } else { relief.run(read: { run(call) }) }
    }

    private func run(_ call: any QueuedCall) {
        do {
            // One snapshot for all statements of the closure.
            try connection.beginReading()
            let hasRun = connection.withTimeLimit(timeLimit, relief) {
                call.run(SQLTransaction(connection: connection, state: state, now: clock.now()))
            }
            guard hasRun || !connection.wasCutShort else {
                throw Failure.unavailable("The server has no time for a long question just now; try again, or ask for fewer days.")
            }
            try connection.commit()
            call.deliver()
        } catch {
            connection.rollBack()
            call.fail(with: error)
        }
    }
}
