import LindenKernel
import LinkRouting

/// A read-write transaction, as far as the creation of links needs it: links, their content, hosts and owners, and earlier tries.
package protocol LinkTransaction: LinkRepository, ObjectTransaction, DomainReader, IdentityRepository, DeviceReader,
    RequestRepository
{}

extension LinkTransaction {
    /// Creates one link, or finds the equal one that has its alias. Errors are detected before anything is written, so that one link's
    /// failure does not affect the others in the transaction.
    func create(
        _ draft: LinkDraft, for app: AppContext, _ baseURL: BaseURL, _ objects: inout ObjectMerger, _ existing: inout ExistingLinks
    ) throws -> Result<LinkCreation, Failure> {
        let new = draft.new
        do {
            return .success(
                try idempotently(new.requestKey, in: app.scope, earlier: { (id: Link.ID) in try existing.link(id, for: draft) }) {
                    let link = try createdLink(draft, for: app, baseURL, &objects, &existing)
                    return (.done(link), link.id)
                })
        } catch let differing as DifferingLink {
            return .success(.existing(differing.stored, .sameAlias(isSameOwner: differing.isSameOwner)))
        } catch let failure as Failure where failure.code != .unavailable {
            return .failure(failure)
        }
    }

    private func createdLink(
        _ draft: LinkDraft, for app: AppContext, _ baseURL: BaseURL, _ objects: inout ObjectMerger, _ existing: inout ExistingLinks
    ) throws -> Link {
        let new = draft.new
        let address = LinkAddress(host: try host(for: new, of: app), path: draft.path)
        // A random path is taken too rarely to look for it.
        let taken = new.alias == nil ? [] : [address, baseURL.equivalentAddress(of: address)].compactMap { $0 }
        if let stored = try existing.link(at: taken) {
            // The differences would tell a caller who tries names whose link it is.
            guard stored.link.hasAlias else {
                throw Failure(.conflict, "\(address.path) is another link's generated path.", at: ["alias"])
            }
            let isSameOwner = try isOwner(stored.link.owner, of: new, for: app)
            guard stored.hasData(draft.dataText) else { throw DifferingLink(stored: stored, isSameOwner: isSameOwner) }
            let link = stored.link(with: new.data)
            try link.confirm(equalTo: new, isSameOwner: isSameOwner, in: app.scope, baseURL, isBulk: existing.isBulk)
            return link
        }
        let link = Link(
            id: try newID(), scope: app.scope, address: address, hasAlias: new.alias != nil, kind: new.kind,
            duration: new.duration, owner: try owner(for: new, in: app.scope), labels: new.labels,
            folder: new.folder, isArchived: new.isArchived, data: new.data,
            object: try draft.object.map { try objects.save($0, isAuthenticated: new.isAuthenticated) }, source: new.source,
            isAuthenticated: new.isAuthenticated, createdAt: now, ignoredUserAgent: new.ignoredUserAgent, limits: new.limits)
        guard try insert(link, data: draft.dataText) else { throw Failure.unavailable("The path is taken; please try again.") }
        return link
    }

    private func owner(for new: NewLink, in scope: Scope) throws -> Identity.ID? {
        if let name = new.identity { return try identity(named: name, in: scope).id }
        guard let owner = new.owner, let identity = try identity(owner), identity.scope == scope else { return nil }
        return owner
    }

    /// Returns whether a stored link's owner is the one that a new link names. Does not create an identity. With `security=strict` and no
    /// secret, only a user's first device can name a user with a name, because a caller could try names.
    private func isOwner(_ stored: Identity.ID?, of new: NewLink, for app: AppContext) throws -> Bool {
        let named =
            try new.identity.map { try identity($0, in: app.scope) } ?? owner(for: new, in: app.scope).flatMap { try identity($0) }
        guard new.identity == nil || named != nil, named?.id == stored else { return false }
        guard let named, named.developerIdentity != nil, app.app.configuration.isStrict, !new.isAuthenticated else { return true }
        return try new.device != nil && firstDevice(of: named.id) == new.device
    }
}

/// The result of the creation of a link within a transaction.
enum LinkCreation: Sendable {
    case done(Link)
    /// A link that exists already, with other data text than that of the call. It is parsed and compared after the transaction, see
    /// ``ExistingLinkData``.
    case existing(StoredLink, Relation)

    /// The relation of an existing link to the call.
    enum Relation: Sendable {
        case earlierTry
        case sameAlias(isSameOwner: Bool)
    }
}

/// The data of the existing links that the calls of one transaction met. Each is parsed once.
struct ExistingLinkData {
    private let isBulk: Bool
    private var data: [Link.ID: JSONObject] = [:]

    init(isBulk: Bool) {
        self.isBulk = isBulk
    }

    /// Returns the result of a call: `conflict` if it found its alias at a link that differs.
    mutating func result(
        of creation: LinkCreation, for new: NewLink, in scope: Scope, _ baseURL: BaseURL
    ) throws -> Result<Link, Failure> {
        switch creation {
        case .done(let link): return .success(link)
        case .existing(let stored, let relation):
            let link = stored.link(with: try data(of: stored))
            if case .sameAlias(let isSameOwner) = relation {
                do {
                    try link.confirm(equalTo: new, isSameOwner: isSameOwner, in: scope, baseURL, isBulk: isBulk)
                } catch let failure as Failure {
                    return .failure(failure)
                }
            }
            return .success(isBulk ? stored.link(with: new.data) : link)
        }
    }

    private mutating func data(of stored: StoredLink) throws -> JSONObject {
        if let known = data[stored.link.id] { return known }
        let parsed = try stored.parsedData()
        data[stored.link.id] = parsed
        return parsed
    }
}

/// Thrown if the alias of a link to be created has a link with other data text, before anything is written.
private struct DifferingLink: Error {
    let stored: StoredLink
    let isSameOwner: Bool
}

extension Link {
    /// Throws `conflict` unless this link, which has the alias already, equals the link to be created. In bulk the error has no
    /// differences, since the answer does not show them.
    func confirm(
        equalTo new: NewLink, isSameOwner: Bool, in scope: Scope, _ baseURL: BaseURL, isBulk: Bool
    ) throws {
        guard self.scope == scope else {
            // No other field is disclosed: a branch key is public.
            throw aliasTaken(baseURL, differences: ["app": ["stored": "another app", "sent": "this app"]])
        }
        if let deletedAt {
            throw aliasTaken(baseURL, differences: ["deleted_at": ["stored": .string(deletedAt.iso8601), "sent": .null]])
        }
        let limit = isBulk ? 1 : LinkDifferences.mostShown
        let differences = LinkDifferences.between(self, new, isSameOwner: isSameOwner, atMost: limit)
        guard differences.isEmpty else { throw aliasTaken(baseURL, differences: isBulk ? [:] : differences) }
    }
}

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

/// A checked link to be created, with its path.
package struct LinkDraft: Sendable {
    package let new: NewLink
    let path: String
    /// The content object that the link is about.
    let object: ObjectDescription?
    /// The link's data as compact JSON.
    let dataText: String
    private var bytes: Int { 512 + dataText.utf8.count }

    init(new: NewLink, path: String) {
        self.new = new
        self.path = path
        object = ObjectDescription(linkData: new.data)
        dataText = JSON.object(new.data).text
    }
}

extension LinkDraft {
    /// The maximum number of links per batch, so that other writers do not wait long.
    private static let largestBatch = 500
    private static let largestBatchBytes = 524_288

    /// Splits drafts into batches, each of which writes a bounded amount of data. ``ExistingLinks`` bounds what a transaction reads.
    static func batches(_ drafts: [Result<LinkDraft, Failure>]) -> [ArraySlice<Result<LinkDraft, Failure>>] {
        var batches: [ArraySlice<Result<LinkDraft, Failure>>] = []
        var (start, bytes) = (drafts.startIndex, 0)
        // Identifiers by their bytes, as the database compares them.
        var objects: Set<[UInt8]> = []
        for index in drafts.indices {
            guard case .success(let draft) = drafts[index] else { continue }
            var added = draft.bytes
            // An object is read and written once per batch.
            if let object = draft.object, !objects.contains(Array(object.identifier.utf8)) { added += UniversalObject.largestData }
            if index > start, bytes + added > largestBatchBytes || index - start >= largestBatch {
                batches.append(drafts[start..<index])
                (start, bytes, objects) = (index, 0, [])
            }
            bytes += added
            if let object = draft.object { objects.insert(Array(object.identifier.utf8)) }
        }
        if start < drafts.endIndex { batches.append(drafts[start...]) }
        return batches
    }
}
