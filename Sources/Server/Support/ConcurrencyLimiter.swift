import Linden
import LindenKernel
import Synchronization

/// A concurrency limiter per app for expensive work that unauthenticated clients can request. Clients share an app's places by
/// ``NetworkBudget``. Calls beyond a limit are rejected.
final class ConcurrencyLimiter: Sendable {
    private let limit: Int
    private let running = Mutex<[Scope: NetworkBudget]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Runs `work`. Fails with `unavailable` if the app, the address or its site has too many running.
    ///
    /// - Parameter client: nil for a caller that counts against the app alone.
    func pass<Value>(_ scope: Scope, for client: ClientNetwork?, _ work: () async throws -> Value) async throws -> Value {
        guard running.withLock({ $0[scope, default: NetworkBudget(limit)].take(1, of: client) }) else {
            throw Failure.unavailable("Too many requests of this kind are in progress; please try again.")
        }
        defer {
            running.withLock { running in
                running[scope]?.giveBack(1, of: client)
                if running[scope]?.isUnused == true { running[scope] = nil }
            }
        }
        return try await work()
    }
}
