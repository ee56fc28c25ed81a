import LinkRouting

/// Mints, reads, changes and deletes links: what `POST|GET|PUT|DELETE /v1/url` and `linden links` both do.
package struct LinkService: Sendable {
    package let baseURL: BaseURL
    private let storage: any Storage
    private let directory: LinkDirectory
    private let random: RandomSource

    package init(storage: any Storage, directory: LinkDirectory, baseURL: BaseURL, random: RandomSource) {
        self.storage = storage
        self.directory = directory
        self.baseURL = baseURL
        self.random = random
    }

    /// Makes a link.
    ///
    /// An alias that is taken by an equal link gives that link back; one taken by a different link fails with `conflict`, naming
    /// what differs.
    package func mint(_ new: NewLink, for app: AppContext) async throws -> Link {
        try new.check()
        let slugs = new.alias.map { [$0] } ?? (0..<3).map { _ in random.alphanumerics(LinkService.slugLength) }
        return try await storage.write { [baseURL] transaction in
            let host = try transaction.host(for: new, of: app)
            let owner = try transaction.owner(for: new, in: app.scope)
            let object = try transaction.saveObject(described: new.data, in: app.scope)
            for slug in slugs {
                let address = LinkAddress(host: host, path: slug)
                let link = Link(
                    id: try transaction.newID(), scope: app.scope, address: address, hasAlias: new.alias != nil, kind: new.kind,
                    duration: new.duration, owner: owner, labels: new.labels, data: new.data, object: object, source: new.source,
                    createdAt: transaction.now)
                if try transaction.insert(link) { return link }
                if new.alias != nil { return try transaction.existingLink(at: address, equalTo: link, baseURL) }
            }
            throw Failure.unavailable("No free slug was found; please try again.")
        }
    }

    /// 62^10 slugs: at a billion links, one guess in 839 million hits.
    private static let slugLength = 10

    /// The link at a URL, within one scope. Fails with `notFound`.
    package func link(url: String, in scope: Scope) async throws -> Link {
        guard let found = try await directory.link(url: url), found.link.scope == scope else { throw Failure.noSuchLink }
        return found.link
    }

    package func update(_ id: Link.ID, with changes: LinkChanges) async throws -> Link {
        let updated = try await storage.write { transaction in
            guard let link = try transaction.link(id), link.deletedAt == nil else { throw Failure.noSuchLink }
            var changed = try changes.apply(to: link)
            if let object = try transaction.saveObject(described: changed.data, in: link.scope) { changed.object = object }
            try transaction.update(changed, at: transaction.now)
            return changed
        }
        directory.forget()
        return updated
    }

    /// Deletes a link. Its path stays reserved, so that nobody else's link takes over its visitors, unless it is freed.
    package func delete(_ id: Link.ID, freeAddress: Bool = false) async throws {
        try await storage.write { transaction in
            guard let link = try transaction.link(id), link.deletedAt == nil || freeAddress else { throw Failure.noSuchLink }
            if link.deletedAt == nil { try transaction.deleteLink(id, at: transaction.now) }
            if freeAddress { try transaction.freeAddress(of: id) }
        }
        directory.forget()
    }

    package func list(scope: Scope, before: Link.ID? = nil, limit: Int) async throws -> [Link] {
        try await storage.read { try $0.links(of: scope, before: before, limit: limit) }
    }

    /// A link as an operator names it: a URL, a slug or alias, or an id. Also finds deleted links.
    package func find(_ reference: String) async throws -> Link {
        let baseURL = baseURL
        return try await storage.read { reader in
            if reference.contains("://") {
                let parts = URLParts(reference)
                let isRegistered = try reader.domain(parts.host) != nil
                for address in baseURL.addresses(host: parts.host, path: parts.path, isRegistered: isRegistered) {
                    if let link = try reader.link(at: address) { return link }
                }
                throw Failure.noSuchLink
            }
            for host in [""] + (try reader.domains().map(\.host)) {
                if let link = try reader.link(at: LinkAddress(host: host, path: reference)) { return link }
            }
            if let number = Int64(reference), let link = try reader.link(Link.ID(rawValue: number)) { return link }
            throw Failure.noSuchLink
        }
    }

    package func url(of link: Link) -> String {
        baseURL.url(of: link.address)
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

    /// The link that holds an alias, if it says the same as the one that was to be made.
    fileprivate func existingLink(at address: LinkAddress, equalTo new: Link, _ baseURL: BaseURL) throws -> Link {
        guard let stored = try link(at: address) else {
            throw Failure.unavailable("The alias was freed while it was being compared; please try again.")
        }
        let place = (address.host.isEmpty ? baseURL.host : address.host) + "/" + address.path
        guard stored.scope == new.scope, stored.deletedAt == nil else { throw Failure.aliasTaken(place, differences: [:]) }
        let differences = LinkDifferences.between(stored: stored, sent: new)
        guard differences.isEmpty else { throw Failure.aliasTaken(place, differences: differences) }
        return stored
    }
}

/// What tells two links with the same alias apart.
enum LinkDifferences {
    /// Field → the stored and the sent value; a missing value is null.
    static func between(stored: Link, sent: Link) -> JSONObject {
        var differences = JSONObject()
        func compare(_ name: String, _ storedValue: JSON?, _ sentValue: JSON?) {
            guard storedValue != sentValue else { return }
            differences[name] = ["stored": storedValue ?? .null, "sent": sentValue ?? .null]
        }
        let (storedLabels, sentLabels) = (stored.labels.members, sent.labels.members)
        for name in ["channel", "feature", "campaign", "stage", "tags"] { compare(name, storedLabels[name], sentLabels[name]) }
        compare("type", .integer(stored.kind.rawValue), .integer(sent.kind.rawValue))
        compare("duration", stored.duration.map(JSON.integer), sent.duration.map(JSON.integer))
        if stored.owner != sent.owner { differences["identity"] = ["stored": "another identity", "sent": "another identity"] }
        for key in Set(stored.data.keys).union(sent.data.keys).sorted() {
            compare("data." + key, stored.data[key], sent.data[key])
        }
        return differences
    }
}

extension Failure {
    package static let noSuchLink = Failure.notFound("There is no such link.")

    /// The message is Branch's; `place` is the domain and the alias.
    static func aliasTaken(_ place: String, differences: JSONObject) -> Failure {
        Failure(.conflict, "Link alias conflict: \(place)", details: ["differences": .object(differences)])
    }
}
