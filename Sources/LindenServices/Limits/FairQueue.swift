import DequeModule

/// A queue that serves clients in turn, one item of each, so that the items of one client do not delay those of others.
package struct FairQueue<Item> {
    /// The items of each client, in order of arrival. Clients that are not counted by network share one place.
    private var items: [UInt64?: Deque<Item>] = [:]
    /// The clients that have items, the next one first.
    private var order = Deque<UInt64?>()

    package init() {}

    package var isEmpty: Bool { order.isEmpty }

    /// Returns the number of items of a client.
    package func count(of client: UInt64?) -> Int { items[client]?.count ?? 0 }

    /// The item of each client that has waited for longest. Takes time proportional to the number of clients.
    package var oldest: [Item] { items.values.compactMap(\.first) }

    /// - Parameter client: a site or an address, see ``ClientNetwork``, or an app.
    package mutating func append(_ item: Item, of client: UInt64?) {
        if items[client] == nil { order.append(client) }
        items[client, default: Deque()].append(item)
    }

    /// Removes and returns the last item of the client that has most. Nil if none has more than `count`. Takes time proportional to the number
    /// of clients.
    package mutating func removeLast(ofOneAbove count: Int) -> Item? {
        guard let client = order.max(by: { self.count(of: $0) < self.count(of: $1) }), self.count(of: client) > count else {
            return nil
        }
        let item = items[client]?.popLast()
        if items[client]?.isEmpty == true {
            items[client] = nil
            order.removeAll { $0 == client }
        }
        return item
    }

    /// Removes and returns the next item. Takes constant time.
    package mutating func next() -> Item? {
        guard let client = order.popFirst() else { return nil }
        let item = items[client]?.popFirst()
        if items[client]?.isEmpty == false { order.append(client) } else { items[client] = nil }
        return item
    }
}

extension FairQueue: Sendable where Item: Sendable {}
