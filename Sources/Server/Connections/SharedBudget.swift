import Linden
import Synchronization

/// A limited amount of a resource that clients share, such as bytes or slots. One address gets at most a quarter of it, and one site (a /24
/// of IPv4, a /48 of IPv6) at most half.
final class SharedBudget: Sendable {
    private struct Held {
        var all = 0
        var byNetwork = NetworkUse<UInt64, UInt64>()
    }

    private let amount: Int
    private let shares: NetworkShares
    private let held = Mutex(Held())

    init(_ amount: Int) {
        self.amount = amount
        shares = NetworkShares(address: amount / 4, site: amount / 2)
    }

    /// The most that one address gets.
    var largestShare: Int { shares.address }

    /// Takes an amount from the budget.
    ///
    /// - Parameter client: nil for clients that are counted in total only.
    /// - Returns: false if there is not enough room; nothing is counted then.
    func take(_ count: Int, of client: ClientNetwork?) -> Bool {
        held.withLock { held in
            guard held.all + count <= amount, held.byNetwork.take(count, client?.address, client?.site, within: shares) else {
                return false
            }
            held.all += count
            return true
        }
    }

    /// Returns the share of the client that an additional amount exceeds; nil if only the budget itself has no room for it.
    func share(exceededBy count: Int, of client: ClientNetwork?) -> NetworkShare? {
        held.withLock { $0.byNetwork.share(exceededBy: count, client?.address, client?.site, within: shares) }
    }

    func giveBack(_ count: Int, of client: ClientNetwork?) {
        held.withLock { held in
            held.all -= count
            held.byNetwork.giveBack(count, client?.address, client?.site)
        }
    }
}
