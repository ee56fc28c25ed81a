import Linden
import Synchronization

/// The memory that unfinished requests may hold together, a quarter of it those from one address.
final class MemoryBudget: Sendable {
    /// Of all connections.
    private let bytes: Int
    /// Of those from one address, or one /64 of IPv6.
    private var bytesPerAddress: Int { bytes / 4 }

    private struct Held {
        var all = 0
        var byNetwork: [UInt64: Int] = [:]
    }

    private let held = Mutex(Held())

    init(bytes: Int) {
        self.bytes = bytes
    }

    /// - Parameter network: the number of the address or the /64.
    /// - Returns: false if there is no room for so many bytes; then none are counted.
    func take(_ count: Int, of network: UInt64) -> Bool {
        held.withLock { held in
            let ofNetwork = held.byNetwork[network, default: 0]
            guard held.all + count <= bytes, ofNetwork + count <= bytesPerAddress else { return false }
            held.all += count
            held.byNetwork[network] = ofNetwork + count
            return true
        }
    }

    func giveBack(_ count: Int, of network: UInt64) {
        held.withLock { held in
            held.all -= count
            held.byNetwork[network] = held.byNetwork[network].flatMap { $0 > count ? $0 - count : nil }
        }
    }
}
