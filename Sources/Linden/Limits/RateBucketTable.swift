import OrderedCollections

/// The buckets of the clients that were seen last, at most so many.
///
/// A flood from many networks must not reset the bucket of a client that has used up its rate. Room for a new client is therefore made
/// by dropping buckets that say little: full ones first, then the one of which least is used. A bucket of which more than half is used
/// stays until it has filled. Where there are only such, a new client is not counted: counting by address no longer tells apart a flood
/// from so many networks, and the buckets of the apps still bound it.
///
/// Room is looked for in constant time, in the next ``looked`` buckets behind the last ones that were looked at.
struct RateBucketTable<Client: Hashable & Sendable>: Sendable {
    private let capacity: Int
    private var buckets: OrderedDictionary<Client, RateBucket> = [:]
    /// The bucket that is looked at next.
    private var hand = 0

    /// Buckets that are looked at for one new client.
    private static var looked: Int { 8 }
    private static var mostUsedToDrop: Double { 0.5 }

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { buckets.count }

    /// Takes from a client's bucket, see ``RateBucket/take(_:of:at:)``; nil also for a client that is not counted.
    mutating func take(_ client: Client, _ amount: Int64, of rate: Rate, at now: Int64) -> Int64? {
        guard hasRoom(for: client, at: now) else { return nil }
        return buckets[client, default: RateBucket()].take(amount, of: rate, at: now)
    }

    /// Whether there is not one left in a client's bucket.
    func isRefusing(_ client: Client, _ rate: Rate, at now: Int64) -> Bool {
        guard var bucket = buckets[client] else { return false }
        return bucket.take(1, of: rate, at: now) != nil
    }

    /// Charges a client's bucket, see ``RateBucket/charge(_:of:at:)``.
    mutating func charge(_ client: Client, _ amount: Int64, of rate: Rate, at now: Int64) {
        guard hasRoom(for: client, at: now) else { return }
        buckets[client, default: RateBucket()].charge(amount, of: rate, at: now)
    }

    private mutating func hasRoom(for client: Client, at now: Int64) -> Bool {
        if buckets.count < capacity || buckets[client] != nil { return true }
        dropLeastUsed(at: now)
        return buckets.count < capacity
    }

    private mutating func dropLeastUsed(at now: Int64) {
        var least: (index: Int, part: Double)?
        for _ in 0..<Self.looked where !buckets.isEmpty {
            if hand >= buckets.count { hand = 0 }
            let part = buckets.elements[hand].value.usedPart(at: now)
            if part == 0 {
                remove(at: hand)
            } else {
                if part < least?.part ?? .infinity { least = (hand, part) }
                hand += 1
            }
        }
        guard buckets.count >= capacity, let least, least.part <= Self.mostUsedToDrop else { return }
        remove(at: least.index)
    }

    /// The last bucket takes the place of the removed one, so that no others move.
    private mutating func remove(at index: Int) {
        buckets.swapAt(index, buckets.count - 1)
        buckets.removeLast()
    }
}
