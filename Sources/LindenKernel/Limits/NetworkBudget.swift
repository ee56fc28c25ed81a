/// A limited amount of a resource, such as bytes or slots, and its uses. One address and one site (a /24 of IPv4, a /48 of IPv6) have shares
/// of it.
package struct NetworkBudget: Sendable {
    private let amount: Int
    private let shares: NetworkShares
    private var used = 0
    private var byNetwork = NetworkUse<UInt64, UInt64>()

    /// - Parameter shares: a quarter for an address and half for a site by default.
    package init(_ amount: Int, shares: NetworkShares? = nil) {
        self.amount = amount
        self.shares = shares ?? NetworkShares(address: amount / 4, site: amount / 2)
    }

    package var isUnused: Bool { used == 0 }

    /// Takes an amount from the budget.
    ///
    /// - Parameter client: nil for clients that are counted in total only.
    /// - Returns: false if there is not enough room; nothing is counted then.
    package mutating func take(_ count: Int, of client: ClientNetwork?) -> Bool {
        guard used + count <= amount, byNetwork.take(count, client?.address, client?.site, within: shares) else { return false }
        used += count
        return true
    }

    package mutating func giveBack(_ count: Int, of client: ClientNetwork?) {
        used -= count
        byNetwork.giveBack(count, client?.address, client?.site)
    }

    /// The most that one address gets.
    package var largestShare: Int { shares.address }

    /// Returns the share of the client that an additional amount exceeds; nil if only the budget itself has no room for it.
    package func share(exceededBy count: Int, of client: ClientNetwork?) -> NetworkShare? {
        byNetwork.share(exceededBy: count, client?.address, client?.site, within: shares)
    }
}
