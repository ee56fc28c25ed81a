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
    /// ``LinkComparison``.
    case existing(StoredLink, Relation)

    /// The relation of an existing link to the call.
    enum Relation: Sendable {
        case earlierTry
        case sameAlias(isSameOwner: Bool)
    }
}

/// Thrown if the alias of a link to be created has a link with other data text, before anything is written.
private struct DifferingLink: Error {
    let stored: StoredLink
    let isSameOwner: Bool
}
