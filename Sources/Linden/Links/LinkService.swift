import LindenKernel
import LinkRouting

/// Creates, reads, changes and deletes links.
package struct LinkService: Sendable {
    package let baseURL: BaseURL
    let storage: any Storage
    private let directory: LinkDirectory
    private let random: RandomSource
    package let sizes: LinkSizeLimits
    private let updates = Turns<Link.ID>(
        mostWaiting: LinkService.mostWaitingUpdates,
        refusal: "More than \(LinkService.mostWaitingUpdates) updates of this link are waiting; please try again.")
    private let largeUpdates = Turns<Scope>(
        mostWaiting: LinkService.mostWaitingLargeUpdates,
        refusal: "Too many updates of large links of this app are waiting; please try again.")

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
    ///
    /// - Parameter charge: called with the number of bytes stored as content, besides the link itself.
    package func create(_ new: NewLink, for app: AppContext, charging charge: (Int) -> Void = { _ in }) async throws -> Link {
        let draft = try draft(new, for: app)
        let (creation, stored) = try await storage.write { [baseURL] transaction in
            var objects = ObjectMerger(transaction, in: app.scope)
            var existing = ExistingLinks(transaction, isBulk: false)
            let creation = try transaction.create(draft, for: app, baseURL, &objects, &existing)
            return (creation, try objects.write())
        }
        if stored > 0 { charge(stored) }
        var comparison = LinkComparison(isBulk: false)
        return try comparison.result(of: try creation.get(), for: new, in: app.scope, baseURL).get()
    }

    /// Creates several links, each of which succeeds or fails on its own.
    ///
    /// A link that exists already is returned with the data of the call instead of its own, and a conflict without the differences.
    ///
    /// - Parameter charge: called with the number of bytes stored as content, besides the links themselves.
    package func create(
        _ items: [Result<NewLink, Failure>], for app: AppContext, charging charge: (Int) -> Void = { _ in }
    ) async throws -> [Result<Link, Failure>] {
        var drafts: [Result<LinkDraft, Failure>] = []
        for item in items {
            drafts.append(item.flatMap { new in Result { () throws(Failure) in try draft(new, for: app) } })
            // A link may be compared with many routes; other calls run between.
            await Task.yield()
        }
        var created: [Result<Link, Failure>] = []
        for batch in LinkDraft.batches(drafts) {
            var rest = batch
            while !rest.isEmpty {
                let (creations, stored) = try await storage.write { [baseURL, rest] transaction in
                    var objects = ObjectMerger(transaction, in: app.scope)
                    var existing = ExistingLinks(transaction, isBulk: true)
                    var creations: [Result<LinkCreation, Failure>] = []
                    for draft in rest {
                        guard !existing.isFull else { break }
                        switch draft {
                        case .failure(let failure): creations.append(.failure(failure))
                        case .success(let draft):
                            creations.append(try transaction.create(draft, for: app, baseURL, &objects, &existing))
                        }
                    }
                    return (creations, try objects.write())
                }
                var comparison = LinkComparison(isBulk: true)
                for (draft, creation) in zip(rest, creations) {
                    switch (draft, creation) {
                    case (.success(let draft), .success(let creation)):
                        created.append(try comparison.result(of: creation, for: draft.new, in: app.scope, baseURL))
                    case (.failure(let failure), _), (_, .failure(let failure)): created.append(.failure(failure))
                    }
                }
                rest = rest.dropFirst(creations.count)
                if stored > 0 { charge(stored) }
            }
        }
        return created
    }

    package func draft(_ new: NewLink, for app: AppContext) throws(Failure) -> LinkDraft {
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

    /// Changes a link on behalf of the app itself, see ``Link/isAuthenticated``. Throws `notFound` or `invalid`, or `unavailable` if too
    /// many updates wait.
    ///
    /// Updates of one link take turns, since each parses the link's data and starts over if it has changed meanwhile; so do updates of
    /// an app's large links.
    package func update(_ id: Link.ID, with changes: LinkChanges) async throws -> Link {
        try await updates.run(id) {
            let stored = try await storedLink(id)
            guard stored.dataText.utf8.count > LinkService.largeBytes else { return try await update(id, stored, with: changes) }
            return try await largeUpdates.run(stored.link.scope) { try await update(id, stored, with: changes) }
        }
    }

    /// Fails with `tooLarge` for changes that are larger than a link may be, before they are made to many links.
    package func check(_ changes: LinkChanges) throws { try sizes.check(changes.data, Labels()) }

    /// The most updates of one link that wait for their turn.
    package static let mostWaitingUpdates = 16
    /// The most updates of an app's large links that wait for their turn.
    private static let mostWaitingLargeUpdates = 64
    /// The size in bytes of a link's data above which the link is large. Parsing and writing that much takes about a millisecond.
    private static let largeBytes = 16 << 10
    /// The tries of an update. Only another process, such as a command, changes a link during its turn.
    private static let mostTries = 8

    private func update(_ id: Link.ID, _ stored: StoredLink, with changes: LinkChanges) async throws -> Link {
        try await checkPaths(of: id, changedBy: changes)
        var stored = stored
        for _ in 0..<LinkService.mostTries {
            if let updated = try await update(stored, with: changes) {
                directory.invalidate(updated.address)
                return updated
            }
            stored = try await storedLink(id)
        }
        throw Failure.unavailable("The link was changed by another process again and again; please try again.")
    }

    private func storedLink(_ id: Link.ID) async throws -> StoredLink {
        guard let stored = try await storage.read({ try $0.storedLink(id) }), stored.link.deletedAt == nil else {
            throw Failure.noSuchLink
        }
        return stored
    }

    /// Changes a link whose data was read before the transaction, and is parsed and serialised outside it. Returns nil if another call
    /// has changed the data since.
    private func update(_ stored: StoredLink, with changes: LinkChanges) async throws -> Link? {
        let before = stored.link(with: try stored.parsedData())
        let after = try changes.apply(to: before)
        try sizes.check(after.data, after.labels)
        let (dataText, description) = (JSON.object(after.data).text, changes.description(ofContentOf: before))
        return try await storage.write { transaction -> Link? in
            guard let current = try transaction.storedLink(stored.link.id), current.link.deletedAt == nil else {
                throw Failure.noSuchLink
            }
            guard current.hasData(stored.dataText) else { return nil }
            var changed = try changes.apply(to: current.link)
            changed.data = after.data
            try transaction.appContext(scope: changed.scope, withRoutes: false)?.checkRedirects(changes)
            changed.isAuthenticated = true
            if let description {
                var objects = ObjectMerger(transaction, in: changed.scope)
                changed.object = try objects.save(description, isAuthenticated: true)
                _ = try objects.write()
            }
            try transaction.update(changed, data: dataText, at: transaction.now)
            return changed
        }
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
            guard let link = try transaction.storedLink(id)?.link, link.deletedAt == nil || freeAddress else {
                throw Failure.noSuchLink
            }
            if link.deletedAt == nil { try transaction.deleteLink(id, at: transaction.now) }
            if freeAddress { try transaction.freeAddress(of: id) }
            return link.address
        }
        directory.invalidate(address)
    }

    /// Returns the link with an id, including a deleted one; nil if there is none.
    package func link(_ id: Link.ID) async throws -> Link? {
        try await storage.read { try $0.link(id) }
    }

    /// Returns the link that an operator names by URL, slug, alias or id, including deleted links. Throws `notFound`, or `conflict` if
    /// links on several hosts have that alias.
    ///
    /// - Parameter app: the only app whose links are found; nil for all apps.
    package func find(_ reference: String, in app: App.ID? = nil) async throws -> Link {
        try await storage.read { [baseURL] in try $0.link(named: reference, in: app, baseURL) }
    }

    package func url(of link: Link) -> String {
        baseURL.url(of: link)
    }
}
