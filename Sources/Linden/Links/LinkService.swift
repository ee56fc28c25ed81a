import LinkRouting

/// Creates, reads, changes and deletes links, for `POST|GET|PUT|DELETE /v1/url` and `linden links`.
package struct LinkService: Sendable {
    package let baseURL: BaseURL
    private let storage: any Storage
    private let directory: LinkDirectory
    private let random: RandomSource
    package let sizes: LinkSizeLimits

    package init(
        storage: any Storage, directory: LinkDirectory, baseURL: BaseURL, random: RandomSource, sizes: LinkSizeLimits
    ) {
        self.sizes = sizes
        self.storage = storage
        self.directory = directory
        self.baseURL = baseURL
        self.random = random
    }

    /// Creates a link.
    ///
    /// If the alias belongs to an equal link, that link is returned; if it belongs to a different one, throws `conflict` with the
    /// differences.
    package func create(_ new: NewLink, for app: AppContext, charging charge: (Int) -> Void = { _ in }) async throws -> Link {
        try await create([.success(new)], for: app, isBulk: false, charging: charge)[0].get()
    }

    /// Creates several links, each of which succeeds or fails on its own.
    ///
    /// A link that exists already is returned with the data of the call instead of its own, and a conflict without the differences.
    ///
    /// - Parameter charge: called with the number of bytes stored as content, besides the links themselves.
    package func create(
        _ items: [Result<NewLink, Failure>], for app: AppContext, charging charge: (Int) -> Void = { _ in }
    ) async throws -> [Result<Link, Failure>] {
        try await create(items, for: app, isBulk: true, charging: charge)
    }

    private func create(
        _ items: [Result<NewLink, Failure>], for app: AppContext, isBulk: Bool, charging charge: (Int) -> Void
    ) async throws -> [Result<Link, Failure>] {
        let drafts = items.map { item in item.flatMap { new in Result { () throws(Failure) in try draft(new, for: app) } } }
        var created: [Result<Link, Failure>] = []
        for batch in LinkDraft.batches(drafts) {
            var rest = batch
            while !rest.isEmpty {
                let (links, stored) = try await storage.write { [baseURL, rest] transaction in
                    var objects = ObjectMerger(transaction, in: app.scope)
                    var existing = ExistingLinks(transaction, isBulk: isBulk)
                    var links: [Result<Link, Failure>] = []
                    for draft in rest {
                        guard !existing.isFull else { break }
                        switch draft {
                        case .failure(let failure): links.append(.failure(failure))
                        case .success(let draft):
                            links.append(try transaction.create(draft, for: app, baseURL, &objects, &existing))
                        }
                    }
                    return (links, try objects.write())
                }
                created += links
                rest = rest.dropFirst(links.count)
                if stored > 0 { charge(stored) }
            }
        }
        return created
    }

    private func draft(_ new: NewLink, for app: AppContext) throws(Failure) -> LinkDraft {
        do {
            try new.check(sizes)
            try app.checkRedirects(ControlParameters(data: new.data, labels: new.labels), new.limits)
            try app.checkRoutes(of: new.data)
        } catch {
            throw error as? Failure ?? .invalid("\(error)")
        }
        return LinkDraft(new: new, path: new.alias ?? random.alphanumerics(LinkService.slugLength))
    }

    /// The length of a random slug. With 62^10 slugs and a billion links, one guess in 839 million hits.
    private static let slugLength = 10

    /// Returns the link at a URL, within one scope. Throws `notFound`.
    package func link(url: String, in scope: Scope) async throws -> Link {
        guard let found = try await directory.link(url: url), found.link.scope == scope else { throw Failure.noSuchLink }
        // Consuming a link does not invalidate the cache, so a link with a usage limit is read again.
        guard found.link.hasUsageLimit else { return found.link }
        return try await storage.read { try $0.link(found.link.id) } ?? found.link
    }

    /// Returns whether a URL is on a link host: the base URL's or a registered domain.
    package func isOwnHost(of url: String) async throws -> Bool {
        try await directory.isOwnHost(URLParts(url).host)
    }

    /// Changes a link on behalf of the app itself, see ``Link/isAuthenticated``. Throws `notFound` or `invalid`.
    package func update(_ id: Link.ID, with changes: LinkChanges) async throws -> Link {
        try await checkPaths(of: id, changedBy: changes)
        let updated = try await storage.write { [sizes] transaction in
            guard let link = try transaction.link(id), link.deletedAt == nil else { throw Failure.noSuchLink }
            var changed = try changes.apply(to: link, sizes)
            try transaction.appContext(scope: link.scope)?.checkRedirects(changes)
            changed.isAuthenticated = true
            if let description = changes.description(ofContentOf: link) {
                var objects = ObjectMerger(transaction, in: link.scope)
                changed.object = try objects.save(description, isAuthenticated: true)
                _ = try objects.write()
            }
            try transaction.update(changed, at: transaction.now)
            return changed
        }
        directory.invalidate(updated.address)
        return updated
    }

    /// Throws `invalid` if a changed path into the app matches no route and the app rejects such paths. An unchanged path is not checked
    /// again.
    private func checkPaths(of id: Link.ID, changedBy changes: LinkChanges) async throws {
        guard RoutedPath.allKeys.contains(where: { changes.data[$0] != nil }),
            let link = try await storage.read({ try $0.link(id) }),
            let app = try await directory.app(of: link)
        else { return }
        let data = link.data.merging(changes.data)
        if RoutedPath.allKeys.contains(where: { data[$0] != link.data[$0] }) { try app.checkRoutes(of: data) }
    }

    /// Deletes a link. Its path stays reserved, so that no other link takes over its visitors, unless `freeAddress` is set.
    package func delete(_ id: Link.ID, freeAddress: Bool = false) async throws {
        let address = try await storage.write { transaction in
            guard let link = try transaction.link(id), link.deletedAt == nil || freeAddress else { throw Failure.noSuchLink }
            if link.deletedAt == nil { try transaction.deleteLink(id, at: transaction.now) }
            if freeAddress { try transaction.freeAddress(of: id) }
            return link.address
        }
        directory.invalidate(address)
    }

    package func list(scope: Scope, before: Link.ID? = nil, limit: Int) async throws -> [Link] {
        try await storage.read { try $0.links(of: scope, before: before, limit: limit) }
    }

    /// Returns the link that an operator names by URL, slug, alias or id, including deleted links. Throws `notFound`, or `conflict` if
    /// links on several hosts have that alias.
    package func find(_ reference: String) async throws -> Link {
        let baseURL = baseURL
        return try await storage.read { reader in
            if reference.contains("://") {
                let parts = URLParts(reference)
                let isRegistered = try reader.domain(parts.host) != nil
                guard isRegistered || parts.host == baseURL.host else { throw Failure.noSuchLink }
                for address in baseURL.addresses(host: parts.host, path: parts.path, isRegistered: isRegistered) {
                    if let link = try reader.link(at: address) { return link }
                }
                throw Failure.noSuchLink
            }
            let hosts = try [""] + reader.domains().map(\.host)
            let links = try hosts.compactMap { try reader.link(at: LinkAddress(host: $0, path: reference)) }
            guard links.count <= 1 else {
                let urls = links.map { baseURL.url(of: $0.address) }.joined(separator: " ")
                throw Failure(.conflict, "Several links match \(reference); use the URL of one of them: \(urls)")
            }
            if let link = links.first { return link }
            if let number = Int64(reference), let link = try reader.link(Link.ID(rawValue: number)) { return link }
            throw Failure.noSuchLink
        }
    }

    package func url(of link: Link) -> String {
        baseURL.url(of: link)
    }
}

extension Transaction {
    fileprivate func host(for new: NewLink, of app: AppContext) throws -> String {
        guard let wanted = new.domain else { return app.domain ?? "" }
        let host = URLParts.hostAndPort(wanted).host
        guard try domain(host)?.scope == app.scope else {
            throw Failure.invalid("domain must be one of the app's own domains.")
        }
        return host
    }

    fileprivate func owner(for new: NewLink, in scope: Scope) throws -> Identity.ID? {
        if let name = new.identity { return try identity(named: name, in: scope).id }
        guard let owner = new.owner, let identity = try identity(owner), identity.scope == scope else { return nil }
        return owner
    }

    /// Creates one link, or finds the equal one that has its alias. Errors are detected before anything is written, so that one link's
    /// failure does not affect the others in the transaction.
    fileprivate func create(
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

/// The differences of two links with the same alias.
enum LinkDifferences {
    /// The maximum number of differences that an error names: enough to tell two links apart.
    static let mostShown = 10

    /// Returns the first differing fields with their stored and sent values; a missing value is null. The owner of the stored link is not
    /// disclosed: a branch key is public, and user ids are private.
    ///
    /// - Parameter limit: the number of differences after which the comparison stops.
    static func between(_ stored: Link, _ sent: NewLink, isSameOwner: Bool, atMost limit: Int) -> JSONObject {
        var differences = JSONObject()
        func compare(_ name: String, _ storedValue: JSON?, _ sentValue: JSON?) {
            guard differences.count < limit, storedValue != sentValue else { return }
            differences[name] = ["stored": storedValue ?? .null, "sent": sentValue ?? .null]
        }
        let (storedLabels, sentLabels) = (stored.labels.members, sent.labels.members)
        for name in ["channel", "feature", "campaign", "stage", "tags"] { compare(name, storedLabels[name], sentLabels[name]) }
        compare("type", .integer(stored.kind.rawValue), .integer(sent.kind.rawValue))
        compare("duration", stored.duration.map(JSON.integer), sent.duration.map(JSON.integer))
        let (storedLimits, sentLimits) = (stored.limits.members, sent.limits.members)
        for name in ["expires_at", "expired_url", "max_clicks"] { compare(name, storedLimits[name], sentLimits[name]) }
        if !isSameOwner, differences.count < limit {
            differences["identity"] = ["stored": stored.owner == nil ? .null : "another identity", "sent": JSON(sent.identity)]
        }
        for (key, value) in stored.data {
            guard differences.count < limit else { return differences }
            compare("data." + key, value, sent.data[key])
        }
        for (key, value) in sent.data where stored.data[key] == nil {
            guard differences.count < limit else { return differences }
            compare("data." + key, nil, value)
        }
        return differences
    }
}

extension Failure {
    package static let noSuchLink = Failure.notFound("There is no such link.")

    /// The error for a taken alias, with Branch's message; `place` is the domain and the alias.
    static func aliasTaken(_ place: String, differences: JSONObject) -> Failure {
        Failure(.conflict, "Link alias conflict: \(place)", details: ["differences": .object(differences)])
    }
}
