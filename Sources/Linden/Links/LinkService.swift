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
