import NIOCore

/// A queue that serves clients in turn, one item of each, so that the items of one client do not delay those of others.
struct FairQueue<Item: Sendable>: Sendable {
    /// The items of each client, in order of arrival. Clients that are not counted by network share one place.
    private var items: [UInt64?: CircularBuffer<Item>] = [:]
    /// The clients that have items, the next one first.
    private var order = CircularBuffer<UInt64?>()

    /// - Parameter client: a site or an address, see ``ClientNetwork``, or an app.
    mutating func append(_ item: Item, of client: UInt64?) {
        if items[client] == nil { order.append(client) }
        items[client, default: CircularBuffer()].append(item)
    }

    /// Removes and returns the next item. Takes constant time.
    mutating func next() -> Item? {
        guard let client = order.popFirst() else { return nil }
        let item = items[client]?.popFirst()
        if items[client]?.isEmpty == false { order.append(client) } else { items[client] = nil }
        return item
    }
}
