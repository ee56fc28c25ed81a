import DequeModule
import Foundation
import LindenKernel
import SQLStorage

/// A closure queued for a thread of the storage, and its caller.
protocol QueuedCall: AnyObject, Sendable {
    /// Runs the closure and keeps its outcome; false if it threw. May be called again after a rollback.
    func run(_ transaction: SQLTransaction) -> Bool
    /// Passes the outcome of the last run, a value or an error, to the caller.
    func deliver()
    /// Passes the error of the transaction around the closure to the caller.
    func fail(with error: any Error)
}

private final class ClosureCall<Value: Sendable>: QueuedCall, @unchecked Sendable {
    private let body: @Sendable (SQLTransaction) throws -> Value
    private let caller: @Sendable (Result<Value, any Error>) -> Void
    private let health: StorageHealth
    private var outcome: Result<Value, any Error>?

    init(
        _ body: @escaping @Sendable (SQLTransaction) throws -> Value, health: StorageHealth,
        then caller: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.body = body
        self.health = health
        self.caller = caller
    }

    func run(_ transaction: SQLTransaction) -> Bool {
        do {
            outcome = .success(try body(transaction))
            return true
        } catch {
            health.observe(error)
            outcome = .failure((error as? SQLiteError)?.failure ?? error)
            return false
        }
    }

    func deliver() {
        caller(outcome ?? .failure(Failure.unavailable("The storage was closed.")))
    }

    func fail(with error: any Error) {
        health.observe(error)
        caller(.failure((error as? SQLiteError)?.failure ?? error))
    }
}

/// The bounded queue of calls between tasks and threads. A call that exceeds the limit is refused at once.
final class CallQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private let limit: Int
    private let health: StorageHealth
    private var calls = Deque<any QueuedCall>()
    private var isClosed = false
    private var isWoken = false
    private var workers = 1
    private var closing: CheckedContinuation<Void, Never>?

    init(limit: Int, health: StorageHealth) {
        self.limit = limit
        self.health = health
    }

    /// Sets the number of threads, if it is not 1. Call before they start.
    func expectWorkers(_ count: Int) {
        workers = count
    }

    func perform<Value: Sendable>(_ body: @escaping @Sendable (SQLTransaction) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            perform(body) { continuation.resume(with: $0) }
        }
    }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (SQLTransaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let call = ClosureCall(body, health: health, then: deliver)
        if let refusal = enqueue(call) { call.fail(with: refusal) }
    }

    private func enqueue(_ call: any QueuedCall) -> Failure? {
        condition.withLock {
            if isClosed { return .unavailable("The server is shutting down.") }
            if calls.count >= limit { return .unavailable("Too much is waiting for the database; please try again.") }
            calls.append(call)
            condition.signal()
            return nil
        }
    }

    /// Makes ``next(upTo:)`` return once without a call. False if the queue is closed.
    func wake() -> Bool {
        condition.withLock {
            isWoken = true
            condition.signal()
            return !isClosed
        }
    }

    /// Waits for calls and returns the next of them: empty after ``wake()``, nil once the queue is closed and empty.
    func next(upTo count: Int) -> [any QueuedCall]? {
        condition.withLock {
            while calls.isEmpty {
                if isClosed { return nil }
                if isWoken { break }
                condition.wait()
            }
            isWoken = false
            let taken = Array(calls.prefix(count))
            calls.removeFirst(taken.count)
            return taken
        }
    }

    /// Refuses new calls and returns when the threads have finished the queued ones.
    func close() async {
        await withCheckedContinuation { continuation in
            let isDone = condition.withLock {
                isClosed = true
                condition.broadcast()
                if workers > 0 { closing = continuation }
                return workers == 0
            }
            if isDone { continuation.resume() }
        }
    }

    /// Each thread calls this as its last act.
    func didFinish() {
        let finished = condition.withLock {
            workers -= 1
            return workers == 0 ? closing : nil
        }
        finished?.resume()
    }
}
