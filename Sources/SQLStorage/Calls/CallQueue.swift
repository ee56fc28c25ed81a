import CoreMetrics
import DequeModule
import Foundation
import LindenKernel
import LindenServices

/// A closure queued for a thread of the storage, and its caller.
package protocol QueuedCall: AnyObject, Sendable {
    var queuedAt: ContinuousClock.Instant { get }
    /// Runs the closure and keeps its outcome; false if it threw. May be called again after a rollback.
    func run(_ transaction: SQLTransaction) -> Bool
    /// Passes the outcome of the last run, a value or an error, to the caller.
    func deliver()
    /// Passes the error of the transaction around the closure to the caller.
    func fail(with error: any Error)
}

private final class ClosureCall<Value: Sendable>: QueuedCall, @unchecked Sendable {
    let queuedAt = ContinuousClock.now
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
            outcome = .failure((error as? any DriverError)?.failure ?? error)
            return false
        }
    }

    func deliver() {
        caller(outcome ?? .failure(Failure.unavailable("The storage was closed.")))
    }

    func fail(with error: any Error) {
        health.observe(error)
        caller(.failure((error as? any DriverError)?.failure ?? error))
    }
}

/// The bounded queue of calls between tasks and threads. A call that exceeds the limit is refused at once.
///
/// Calls of different apps and sites take turns (``CallOrigin``). Visits, which have no origin, come first: they are cheap, and a turn of
/// them is large, so that they hardly wait for others. The server's own calls, some of which are long, take turns with all others: one of
/// them comes between two transactions.
package final class CallQueue: @unchecked Sendable {
    /// The most calls without an origin that run before one of a client.
    private static let mostWithoutOrigin = 64

    private let condition = NSCondition()
    private let limit: Int
    private let health: StorageHealth
    /// Calls that were refused because too many waited.
    private let refused: Counter
    /// Calls without an origin.
    private var withoutOrigin = Deque<any QueuedCall>()
    private var ofClients = CallTurns()
    private var ofServer = Deque<any QueuedCall>()
    /// Whether a transaction of others was begun since the last call of the server.
    private var isServersTurn = true
    /// The number of calls without an origin since the last one of a client.
    private var withoutOriginInTurn = 0
    private var isClosed = false
    private var isWoken = false
    private var workers = 1
    /// When a thread took the first call since the last success; nil if it succeeded, or the queue was empty since.
    private var stallBegan: ContinuousClock.Instant?
    private var closing: CheckedContinuation<Void, Never>?

    package init(limit: Int, health: StorageHealth, refused: Counter) {
        self.limit = limit
        self.refused = refused
        self.health = health
    }

    /// Sets the number of threads, if it is not 1. Call before they start.
    package func expectWorkers(_ count: Int) {
        workers = count
    }

    package func perform<Value: Sendable>(_ body: @escaping @Sendable (SQLTransaction) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            perform(body) { continuation.resume(with: $0) }
        }
    }

    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable (SQLTransaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let call = ClosureCall(body, health: health, then: deliver)
        if let refusal = enqueue(call, of: CallOrigin.current) { call.fail(with: refusal) }
    }

    private func enqueue(_ call: any QueuedCall, of origin: CallOrigin?) -> Failure? {
        condition.withLock {
            if isClosed { return .unavailable("The server is shutting down.") }
            guard hasRoom(for: origin) else {
                refused.increment()
                return .unavailable("Too much is waiting for the database; please try again.")
            }
            switch origin {
            case nil: withoutOrigin.append(call)
            case let origin? where origin === CallOrigin.server: ofServer.append(call)
            case let origin?: ofClients.append(call, of: origin)
            }
            condition.signal()
            return nil
        }
    }

    private func hasRoom(for origin: CallOrigin?) -> Bool {
        guard let origin else { return withoutOrigin.count < limit }
        return origin === CallOrigin.server ? ofServer.count < limit : ofClients.hasRoom(for: origin, limit: limit)
    }

    /// Makes a waiting ``next()`` return once without a call. False if the queue is closed.
    package func wake() -> Bool {
        condition.withLock {
            isWoken = true
            condition.signal()
            return !isClosed
        }
    }

    /// The number of calls that wait.
    package var waiting: Int { condition.withLock { withoutOrigin.count + ofClients.count + ofServer.count } }

    /// How long the oldest of the calls that wait has waited; zero if none does. Takes time proportional to the number of sites.
    package var longestWait: Duration {
        let oldest = condition.withLock {
            (ofClients.oldest + [withoutOrigin.first, ofServer.first].compactMap { $0 }).map(\.queuedAt).min()
        }
        return oldest.map { .now - $0 } ?? .zero
    }

    /// Waits for a call and returns it.
    package func next() -> Next {
        condition.withLock {
            while true {
                if let call = popNext() {
                    stallBegan = stallBegan ?? .now
                    return .call(call)
                }
                stallBegan = nil
                if isClosed { return .closed }
                if isWoken { break }
                condition.wait()
            }
            isWoken = false
            return .nothing
        }
    }

    /// Ends a stall: calls were run successfully.
    package func didSucceed() {
        condition.withLock { stallBegan = nil }
    }

    /// How long calls have been run without success. Neither the number of calls nor the time that each waits matters, so a flood of them
    /// is no stall as long as they are run. Only for a queue of one thread.
    package var stall: Duration { condition.withLock { stallBegan.map { .now - $0 } ?? .zero } }

    package enum Next {
        case call(any QueuedCall)
        /// There was no call when ``wake()`` was called.
        case nothing
        /// The queue is closed and empty.
        case closed
    }

    /// Returns the next call, if one waits, for the transaction of a call that came before. No call of the server: the others would wait for
    /// its end.
    package func poll() -> (any QueuedCall)? {
        condition.withLock { popOthers() }
    }

    private func popNext() -> (any QueuedCall)? {
        if isServersTurn, let call = ofServer.popFirst() {
            isServersTurn = false
            return call
        }
        isServersTurn = true
        return popOthers() ?? ofServer.popFirst()
    }

    private func popOthers() -> (any QueuedCall)? {
        if withoutOriginInTurn < Self.mostWithoutOrigin || ofClients.count == 0, let call = withoutOrigin.popFirst() {
            withoutOriginInTurn += 1
            return call
        }
        withoutOriginInTurn = 0
        return ofClients.next()
    }

    /// Refuses new calls and returns when the threads have finished the queued ones.
    package func close() async {
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
    package func didFinish() {
        let finished = condition.withLock {
            workers -= 1
            return workers == 0 ? closing : nil
        }
        finished?.resume()
    }
}
