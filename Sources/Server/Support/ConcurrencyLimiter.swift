import Linden
import Synchronization

/// A concurrency limiter per app for expensive work that unauthenticated clients can request. One address gets at most a quarter of an
/// app's places, one site half of them. Calls beyond a limit are rejected.
final class ConcurrencyLimiter: Sendable {
    private struct Places {
        var all = 0
        var byNetwork = NetworkUse<UInt64, UInt64>()
    }

    private let limit: Int
    private let shares: NetworkShares
    private let taken = Mutex<[Scope: Places]>([:])

    init(limit: Int) {
        self.limit = limit
        shares = NetworkShares(address: limit / 4, site: limit / 2)
    }

    /// Runs `work`. Fails with `unavailable` if the app, the address or its site has too many running.
    ///
    /// - Parameter client: nil for a caller that counts against the app alone.
    func pass<Value>(_ scope: Scope, for client: ClientNetwork?, _ work: () async throws -> Value) async throws -> Value {
        guard enter(scope, client) else {
            throw Failure.unavailable("Too many requests of this kind are in progress; please try again.")
        }
        defer { leave(scope, client) }
        return try await work()
    }

    private func enter(_ scope: Scope, _ client: ClientNetwork?) -> Bool {
        taken.withLock { taken in
            var places = taken[scope] ?? Places()
            guard places.all < limit, places.byNetwork.take(1, client?.address, client?.site, within: shares) else { return false }
            places.all += 1
            taken[scope] = places
            return true
        }
    }

    private func leave(_ scope: Scope, _ client: ClientNetwork?) {
        taken.withLock { taken in
            guard var places = taken[scope] else { return }
            places.all -= 1
            places.byNetwork.giveBack(1, client?.address, client?.site)
            taken[scope] = places.all > 0 ? places : nil
        }
    }
}
