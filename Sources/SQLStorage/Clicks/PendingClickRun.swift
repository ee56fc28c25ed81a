import Linden
import LindenKernel

/// Pending clicks in the order of their ids, linked by address.
struct PendingClickRun: Sendable {
    private(set) var entries: [PendingClickIndex.Entry] = []
    /// For each entry the position of the previous one of its address.
    private var previous: [UInt32] = []
    /// The position of the newest entry of each address.
    private var newest: [Int64: UInt32] = [:]

    private static let none = UInt32.max
    /// Bounds the entries of an address that a look-up reads. An address with more is too dense for its older clicks to match.
    private static let longestWalk = 4096

    var count: Int { entries.count }

    mutating func append(_ entry: PendingClickIndex.Entry) {
        let position = UInt32(entries.count)
        let earlier = newest.updateValue(position, forKey: entry.key.address)
        entries.append(entry)
        previous.append(earlier ?? Self.none)
    }

    /// Returns the newest clicks of an address and, unless nil, a key, newest first, without those that expired before `time`.
    func clicks(at address: Int64, key: MatchKey?, expiringAfter time: Timestamp, limit: Int) -> [Click.ID] {
        var found: [Click.ID] = []
        var position = newest[address] ?? Self.none
        for _ in 0..<Self.longestWalk {
            guard position != Self.none, found.count < limit else { break }
            let entry = entries[Int(position)]
            if key == nil || key == entry.key, entry.expiresAt > time { found.append(entry.click) }
            position = previous[Int(position)]
        }
        return found
    }
}
