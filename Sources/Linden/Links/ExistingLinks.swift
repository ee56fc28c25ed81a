/// The existing links that new ones meet, because they have the alias or are the result of the call's first try. Reads each once per
/// transaction.
struct ExistingLinks {
    /// Whether several links are created at once. Their answers show neither data nor differences.
    let isBulk: Bool
    private let transaction: any Transaction
    private var links: [Link.ID: Link] = [:]
    private var ids: [LinkAddress: Link.ID] = [:]
    private var bytes = 0

    /// The size in bytes of link data after which a transaction reads no more, so that other writers do not wait long.
    private static let mostBytes = 524_288

    init(_ transaction: any Transaction, isBulk: Bool) {
        self.transaction = transaction
        self.isBulk = isBulk
    }

    /// Whether the transaction has read as much as it may. The remaining links belong to the next one.
    var isFull: Bool { bytes >= Self.mostBytes }

    /// Returns the link that the first try of a call created, as the call's result.
    mutating func link(_ id: Link.ID, for new: NewLink) throws -> Link? {
        if let link = links[id] { return result(link, for: new) }
        guard let link = try transaction.link(id) else { return nil }
        add(link)
        return result(link, for: new)
    }

    /// Returns the link at the first of these addresses that has one.
    mutating func link(at addresses: [LinkAddress]) throws -> Link? {
        for address in addresses {
            if let id = ids[address] { return links[id] }
            guard let link = try transaction.link(at: address) else { continue }
            add(link)
            ids[address] = link.id
            return link
        }
        return nil
    }

    /// Returns an existing link as the result of a call. In bulk it has the data of the call: otherwise a call for a thousand large links
    /// would hold the data of all of them.
    func result(_ link: Link, for new: NewLink) -> Link {
        guard isBulk else { return link }
        var link = link
        link.data = new.data
        return link
    }

    private mutating func add(_ link: Link) {
        links[link.id] = link
        bytes += JSON.object(link.data).bytes.count
    }
}
