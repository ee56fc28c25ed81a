import Linden
import Synchronization

/// A concurrency limiter per app for expensive work that unauthenticated clients can request. One address gets at most a quarter of an
/// app's places, one site half of them. Calls beyond a limit are rejected.
final class Gate: Sendable {
    private struct Places {
        var all = 0
        var byNetwork: [UInt64: Int] = [:]
        /// By /24 of IPv4 and /48 of IPv6.
        var bySite: [UInt64: Int] = [:]
    }

    private let limit: Int
    private let taken = Mutex<[Scope: Places]>([:])

    init(limit: Int) {
        self.limit = limit
    }

    /// Runs `work`. Fails with `unavailable` if the app, the address or its site has too many running.
    ///
    /// - Parameter address: nil for a caller that counts against the app alone.
    func pass<Value>(_ scope: Scope, for address: ClientAddress?, _ work: () async throws -> Value) async throws -> Value {
        guard enter(scope, address) else {
            throw Failure.unavailable("Too many of these are being made just now; please try again.")
        }
        defer { leave(scope, address) }
        return try await work()
    }

    private func enter(_ scope: Scope, _ address: ClientAddress?) -> Bool {
        taken.withLock { taken in
            var places = taken[scope] ?? Places()
            guard places.all < limit else { return false }
            if let address {
                let ofAddress = places.byNetwork[address.networkNumber, default: 0]
                let ofSite = places.bySite[address.siteNumber, default: 0]
                guard ofAddress < max(1, limit / 4), ofSite < max(1, limit / 2) else { return false }
                places.byNetwork[address.networkNumber] = ofAddress + 1
                places.bySite[address.siteNumber] = ofSite + 1
            }
            places.all += 1
            taken[scope] = places
            return true
        }
    }

    private func leave(_ scope: Scope, _ address: ClientAddress?) {
        taken.withLock { taken in
            guard var places = taken[scope] else { return }
            places.all -= 1
            if let address {
                let (network, site) = (address.networkNumber, address.siteNumber)
                places.byNetwork[network] = places.byNetwork[network].flatMap { $0 > 1 ? $0 - 1 : nil }
                places.bySite[site] = places.bySite[site].flatMap { $0 > 1 ? $0 - 1 : nil }
            }
            taken[scope] = places.all > 0 ? places : nil
        }
    }
}
