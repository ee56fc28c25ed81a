import Linden
import Synchronization

/// A concurrency limiter per app, for expensive work that unauthenticated clients can request. Rejects calls beyond the limit.
final class Gate: Sendable {
    private let limit: Int
    private let inside = Mutex<[Scope: Int]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Runs `work`. Fails with `unavailable` if the app has too many running.
    func pass<Value>(_ scope: Scope, _ work: () async throws -> Value) async throws -> Value {
        let isFree = inside.withLock { inside in
            guard inside[scope, default: 0] < limit else { return false }
            inside[scope, default: 0] += 1
            return true
        }
        guard isFree else { throw Failure.unavailable("Too many of these are being made just now; please try again.") }
        defer { inside.withLock { $0[scope] = $0[scope].flatMap { $0 > 1 ? $0 - 1 : nil } } }
        return try await work()
    }
}
