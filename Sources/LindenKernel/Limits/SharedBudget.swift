import Synchronization

/// A ``NetworkBudget`` for use from several threads.
package final class SharedBudget: Sendable {
    private let budget: Mutex<NetworkBudget>

    package init(_ amount: Int, shares: NetworkShares? = nil) {
        budget = Mutex(NetworkBudget(amount, shares: shares))
    }

    /// See ``NetworkBudget/take(_:of:)``.
    package func take(_ count: Int, of client: ClientNetwork?) -> Bool {
        budget.withLock { $0.take(count, of: client) }
    }

    package func giveBack(_ count: Int, of client: ClientNetwork?) {
        budget.withLock { $0.giveBack(count, of: client) }
    }

    /// See ``NetworkBudget/share(exceededBy:of:)``.
    package func share(exceededBy count: Int, of client: ClientNetwork?) -> NetworkShare? {
        budget.withLock { $0.share(exceededBy: count, of: client) }
    }
}
