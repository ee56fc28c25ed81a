import LinkRouting

extension Transaction {
    /// Creates one link, or finds the equal one that has its alias. Errors are detected before anything is written, so that one link's
    /// failure does not affect the others in the transaction.
    func create(
        _ draft: LinkDraft, for app: AppContext, _ baseURL: BaseURL, _ objects: inout ObjectMerger, _ existing: inout ExistingLinks
    ) throws -> Result<Link, Failure> {
        let new = draft.new
        do {
            return .success(
                try idempotently(new.requestKey, in: app.scope, earlier: { (id: Link.ID) in try existing.link(id, for: new) }) {
                    let link = try createdLink(draft, for: app, baseURL, &objects, &existing)
                    return (link, link.id)
                })
        } catch let failure as Failure where failure.code != .unavailable {
            return .failure(failure)
        }
    }

    private func createdLink(
        _ draft: LinkDraft, for app: AppContext, _ baseURL: BaseURL, _ objects: inout ObjectMerger, _ existing: inout ExistingLinks
    ) throws -> Link {
        let new = draft.new
        let address = LinkAddress(host: try host(for: new, of: app), path: draft.path)
        let equivalentAddress = new.alias == nil ? nil : baseURL.equivalentAddress(of: address)
        if let stored = try existing.link(at: [address, equivalentAddress].compactMap { $0 }) {
            let isSameOwner = try isOwner(stored.owner, of: new, in: app.scope)
            try stored.confirm(equalTo: new, isSameOwner: isSameOwner, in: app.scope, baseURL, isBulk: existing.isBulk)
            return existing.result(stored, for: new)
        }
        let link = Link(
            id: try newID(), scope: app.scope, address: address, hasAlias: new.alias != nil, kind: new.kind,
            duration: new.duration, owner: try owner(for: new, in: app.scope), labels: new.labels, data: new.data,
            object: try draft.object.map { try objects.save($0, isAuthenticated: new.isAuthenticated) }, source: new.source,
            isAuthenticated: new.isAuthenticated, createdAt: now, ignoredUserAgent: new.ignoredUserAgent, limits: new.limits)
        guard try insert(link) else { throw Failure.unavailable("The alias was taken just now; please try again.") }
        return link
    }

    private func host(for new: NewLink, of app: AppContext) throws -> String {
        guard let wanted = new.domain else { return app.domain ?? "" }
        let host = URLParts.hostAndPort(wanted).host
        guard try domain(host)?.scope == app.scope else {
            throw Failure.invalid("domain must be one of the app's own domains.")
        }
        return host
    }

    private func owner(for new: NewLink, in scope: Scope) throws -> Identity.ID? {
        if let name = new.identity { return try identity(named: name, in: scope).id }
        guard let owner = new.owner, let identity = try identity(owner), identity.scope == scope else { return nil }
        return owner
    }

    /// Returns whether a stored link's owner is the one that a new link names. Does not create an identity.
    private func isOwner(_ stored: Identity.ID?, of new: NewLink, in scope: Scope) throws -> Bool {
        guard let name = new.identity else { return try owner(for: new, in: scope) == stored }
        let named = try identity(name, in: scope)
        return named != nil && named?.id == stored
    }
}

extension Link {
    /// Throws `conflict` unless this link, which has the alias already, equals the link to be created. In bulk the error has no
    /// differences, since the answer does not show them.
    fileprivate func confirm(
        equalTo new: NewLink, isSameOwner: Bool, in scope: Scope, _ baseURL: BaseURL, isBulk: Bool
    ) throws {
        let place = (address.host.isEmpty ? baseURL.host : address.host) + "/" + address.path
        guard self.scope == scope else {
            // No other field is disclosed: a branch key is public.
            throw Failure.aliasTaken(place, differences: ["app": ["stored": "another app", "sent": "this app"]])
        }
        if let deletedAt {
            throw Failure.aliasTaken(place, differences: ["deleted_at": ["stored": .string(deletedAt.iso8601), "sent": .null]])
        }
        let limit = isBulk ? 1 : LinkDifferences.mostShown
        let differences = LinkDifferences.between(self, new, isSameOwner: isSameOwner, atMost: limit)
        guard differences.isEmpty else { throw Failure.aliasTaken(place, differences: isBulk ? [:] : differences) }
    }
}
