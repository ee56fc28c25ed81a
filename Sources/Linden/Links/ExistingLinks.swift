import LindenKernel

/// The existing links that new ones meet, because they have the alias or are the result of the call's first try. Reads each once per
/// transaction.
struct ExistingLinks {
    /// Whether several links are created at once. Their answers show neither data nor differences.
    let isBulk: Bool
    private let reader: any LinkReader
    private var links: [Link.ID: StoredLink] = [:]
    private var ids: [LinkAddress: Link.ID] = [:]
    private var bytes = 0

    /// The size in bytes of link data after which a transaction reads no more, so that other writers do not wait long.
    private static let mostBytes = 524_288

    init(_ reader: any LinkReader, isBulk: Bool) {
        self.reader = reader
        self.isBulk = isBulk
    }

    /// Whether the transaction has read as much as it may. The remaining links belong to the next one.
    var isFull: Bool { bytes >= Self.mostBytes }

    /// Returns the link that the first try of a call created, as the call's result. In bulk it has the data of the call: otherwise a call
    /// for a thousand large links would hold the data of all of them.
    mutating func link(_ id: Link.ID, for draft: LinkDraft) throws -> LinkCreation? {
        if links[id] == nil, let read = try reader.storedLink(id) { add(read) }
        guard let stored = links[id] else { return nil }
        guard isBulk || stored.hasData(draft.dataText) else { return .existing(stored, .earlierTry) }
        return .done(stored.link(with: draft.new.data))
    }

    /// Returns the link at the first of these addresses that has one.
    mutating func link(at addresses: [LinkAddress]) throws -> StoredLink? {
        for address in addresses {
            if let id = ids[address] { return links[id] }
            guard let stored = try reader.storedLink(at: address) else { continue }
            add(stored)
            ids[address] = stored.link.id
            return stored
        }
        return nil
    }

    private mutating func add(_ stored: StoredLink) {
        links[stored.link.id] = stored
        bytes += stored.dataText.utf8.count
    }
}
