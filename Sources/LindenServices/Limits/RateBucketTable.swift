import OrderedCollections

/// A table of clients' rate buckets with a fixed capacity.
///
/// A flood from many networks must not reset the bucket of a client that has used up its rate. To make room for a new client, the table
/// therefore evicts full buckets first, then the least used one. A bucket with more than half of its rate used stays until it refills. If
/// there are only such buckets, a new client is not counted: a flood from so many networks cannot be limited by address, but the apps'
/// buckets still bound it.
///
/// Eviction takes constant time: it examines the next ``looked`` buckets after the ones it examined last.
struct RateBucketTable<Client: Hashable & Sendable>: Sendable {
    private let capacity: Int
    private var buckets: OrderedDictionary<Client, RateBucket> = [:]
    /// The index of the next bucket to examine for eviction.
    private var hand = 0

    /// The number of buckets to examine per new client.
    private static var looked: Int { 8 }
    private static var mostUsedToDrop: Double { 0.5 }

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { buckets.count }

    /// Takes tokens from a client's bucket, see ``RateBucket/take(_:of:mayOwe:at:)``. Returns nil also for a client that is not counted.
    mutating func take(_ client: Client, _ amount: Int64, of rate: Rate, at now: Int64) -> Int64? {
        guard hasRoom(for: client, at: now) else { return nil }
        return buckets[client, default: RateBucket()].take(amount, of: rate, at: now)
    }

    /// Returns the nanoseconds until a client's bucket grants an amount; nil if it does. Takes nothing.
    func wait(_ client: Client, for amount: Int64, of rate: Rate, at now: Int64) -> Int64? {
        guard var bucket = buckets[client] else { return nil }
        return bucket.take(amount, of: rate, at: now)
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

    /// Removes a bucket in constant time: the last bucket takes its place.
    private mutating func remove(at index: Int) {
        buckets.swapAt(index, buckets.count - 1)
        buckets.removeLast()
    }
}
