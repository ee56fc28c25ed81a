import Synchronization

/// A limited amount of a resource that clients share, such as bytes or slots. One address gets at most a quarter of it.
final class SharedBudget: Sendable {
    private struct Held {
        var all = 0
        var byNetwork: [UInt64: Int] = [:]
    }

    private let amount: Int
    private var amountPerAddress: Int { amount / 4 }
    private let held = Mutex(Held())

    init(_ amount: Int) {
        self.amount = amount
    }

    /// Takes an amount from the budget.
    ///
    /// - Parameter network: the number of the address, or of its /64 of IPv6; nil for clients that are not counted by address.
    /// - Returns: false if there is not enough room; nothing is counted then.
    func take(_ count: Int, of network: UInt64?) -> Bool {
        held.withLock { held in
            guard held.all + count <= amount else { return false }
            if let network {
                let ofNetwork = held.byNetwork[network, default: 0]
                guard ofNetwork + count <= amountPerAddress else { return false }
                held.byNetwork[network] = ofNetwork + count
            }
            held.all += count
            return true
        }
    }

    func giveBack(_ count: Int, of network: UInt64?) {
        held.withLock { held in
            held.all -= count
            if let network {
                held.byNetwork[network] = held.byNetwork[network].flatMap { $0 > count ? $0 - count : nil }
            }
        }
    }
}
