import NIOCore

/// A queue that serves the sites of clients in turn, one item of each, so that the items of one site do not delay those of others.
struct SiteTurns<Item: Sendable>: Sendable {
    /// The items of each site, in order of arrival. Clients that are not counted by network share one place.
    private var items: [UInt64?: CircularBuffer<Item>] = [:]
    /// The sites that have items, the next one first.
    private var order = CircularBuffer<UInt64?>()

    /// - Parameter site: see ``ClientNetwork/site``.
    mutating func append(_ item: Item, of site: UInt64?) {
        if items[site] == nil { order.append(site) }
        items[site, default: CircularBuffer()].append(item)
    }

    /// Removes and returns the next item. Takes constant time.
    mutating func next() -> Item? {
        guard let site = order.popFirst() else { return nil }
        let item = items[site]?.popFirst()
        if items[site]?.isEmpty == false { order.append(site) } else { items[site] = nil }
        return item
    }
}
