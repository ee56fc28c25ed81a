import LindenKernel
import LinkRouting

/// Finds links by address, cached where possible. Unknown addresses are not cached, so creating a link invalidates nothing.
package final class LinkDirectory: Sendable {
    let storage: any Storage
    private let apps: AppDirectory
    let baseURL: BaseURL
    private let publicIDs: PublicIDs
    let cache: Cache<LinkCache>

    package init(storage: any Storage, apps: AppDirectory, baseURL: BaseURL, publicIDs: PublicIDs) {
        self.publicIDs = publicIDs
        self.storage = storage
        self.apps = apps
        self.baseURL = baseURL
        cache = Cache(empty: LinkCache(), storage: storage)
    }

    /// Returns the link for a requested host, path and query; nil if there is none, or if it or its app was deleted.
    package func link(host: String, path: String, query: String?) async throws -> ResolvedLink? {
        let wanted = LinkPath(path, hasQuery: query?.isEmpty == false)
        var found: ResolvedLink?
        switch wanted.target {
        case .long(let branchKey): found = try await longLink(host: host, branchKey: branchKey, query: query ?? "")
        case .short: found = try await shortLink(host: host, path: wanted.path)
        case .click(let slug): found = try await shortLink(host: host, path: slug)
        }
        if wanted.isWebOnly { found?.parameters.set("$web_only", to: "true") }
        return found
    }

    /// Returns the link of a click or text message, with the query appended to it then. Nil if there is none, or if the host belongs to
    /// another app.
    func link(of id: Click.ID, host: String) async throws -> ResolvedLink? {
        let owner = try await soleOwner(of: host)
        let found = try await storage.read { reader -> (link: Link, query: String?, via: Click.ID?, isPerson: Bool)? in
            if let click = try reader.click(id) {
                guard owner == nil || owner == click.scope else { return nil }
                return try reader.link(of: click).map {
                    (link: $0, query: click.query, via: click.via, isPerson: click.visitor.robot == nil)
                }
            }
            guard let message = try reader.textMessage(TextMessage.ID(rawValue: id.rawValue)),
                owner == nil || owner == message.scope
            else { return nil }
            return try reader.link(of: message).map { (link: $0, query: message.query, via: nil, isPerson: true) }
        }
        guard let found, let app = try await apps.app(scope: found.link.scope) else { return nil }
        // A click on the address of a click refers to the first click of the chain.
        return ResolvedLink(
            link: found.link, app: app, parameters: found.link.controlParameters, clickedQuery: found.query,
            via: found.via ?? id, clickedAt: found.isPerson ? id.time : nil)
    }

    /// Returns the link that `/c/…` names on a host: by the id of a click of it, or by its slug.
    package func link(host: String, clickOrSlug name: String) async throws -> ResolvedLink? {
        if let id: Click.ID = publicIDs.id(for: name), let clicked = try await link(of: id, host: host) { return clicked }
        return try await shortLink(host: host, path: "/" + name)
    }

    private func shortLink(host: String, path: String) async throws -> ResolvedLink? {
        let owner = try await owner(of: host)
        for address in baseURL.addresses(host: host, path: path, isRegistered: owner != nil) {
            // Links created before the domain moved to another app do not belong to the new app.
            if let found = try await link(at: address), address.host.isEmpty || found.link.scope == owner { return found }
        }
        return nil
    }

    /// Returns the long link of a host, key and query. A domain belongs to one app and hosts only its links, unless it is the base URL's
    /// host; on other hosts only a key identifies the app.
    private func longLink(host: String, branchKey: String?, query: String) async throws -> ResolvedLink? {
        let owner = try await owner(of: host)
        let app: AppContext?
        if let branchKey {
            app = try await apps.knownApp(keyOfLink: branchKey)
        } else if let owner {
            app = try await apps.app(scope: owner)
        } else {
            app = nil
        }
        guard let app else { return nil }
        if let owner = try await soleOwner(of: host), owner != app.scope { return nil }
        let link = Link.long(query: query, of: app, at: Timestamp(milliseconds: 0))
        return ResolvedLink(link: link, app: app, parameters: link.controlParameters)
    }

    /// Returns the link for a URL; nil for a URL that is no link of this server, or longer than ``LinkSizeLimits/addressBytes``.
    package func link(url: String) async throws -> ResolvedLink? {
        guard url.utf8.count <= LinkSizeLimits.addressBytes else { return nil }
        let parts = URLParts(url)
        guard ["http", "https"].contains(parts.scheme) else { return nil }
        if try await !isOwnHost(parts.host) {
            // SDKs without a configured link host create long links on Branch's: the key identifies the app.
            guard case .long(let branchKey?) = LinkPath(parts.path, hasQuery: true).target else { return nil }
            return try await longLink(host: parts.host, branchKey: branchKey, query: parts.query ?? "")
        }
        if let text = LinkPath.clickText(parts.path), let id: Click.ID = publicIDs.id(for: text),
            let clicked = try await link(of: id, host: parts.host)
        {
            return clicked
        }
        return try await link(host: parts.host, path: parts.path, query: parts.query)
    }

    /// The approximate memory size of all cached links in bytes.
    package var cachedBytes: Int { cache.value { $0.byteCost } ?? 0 }

    /// The look-ups of links; counted from zero again when another process has changed apps or links.
    package var cacheUse: CacheUse { cache.value { $0.use } ?? CacheUse() }

    /// Invalidates a link. To be called after this process changed it.
    package func invalidate(_ address: LinkAddress) {
        cache.change { $0.remove(address) }
    }

    /// Removes the domains of an app, and the hosts that are no app's. To be called after this process changed an app or its domains. The app's
    /// links are removed with the app, by ``AppDirectory/invalidate(_:)`` after this.
    package func invalidate(_ app: App.ID) {
        cache.change { $0.removeDomains(of: app) }
    }

    /// Removes from memory the links of apps that are not cached any more. Visits wait meanwhile, some milliseconds for a full cache.
    package func removeOutdated() {
        cache.change { $0.removeOutdated() }
    }

    private func link(at address: LinkAddress) async throws -> ResolvedLink? {
        if let found = cache.lookUp({ $0.link(at: address) }) { return found }
        let ticket = cache.ticket
        guard let link = try await storage.read({ try $0.link(at: address) }), link.deletedAt == nil,
            let app = try await apps.app(scope: link.scope)
        else { return nil }
        let parameters = link.controlParameters
        let urls = LinkURLs(of: parameters, app.routing)
        let found = ResolvedLink(link: link, app: app, parameters: parameters, urls: urls)
        let byteCost = LinkCache.byteCost(of: found)
        cache.insert(ticket) { $0.insert(found, at: address, byteCost: byteCost) }
        return found
    }

    /// Counts another decision on a cached link among its bytes.
    func addDecision(to link: ResolvedLink) {
        cache.lookUp { $0.addDecision(to: link) }
    }

    /// Returns the app of a link; nil if it was deleted.
    func app(of link: Link) async throws -> AppContext? {
        try await apps.app(scope: link.scope)
    }

    /// Returns the short link at a host and path, if cached; nil if it is not, or if the path is not that of a plain short link.
    func cachedLink(host: String, path: String) -> ResolvedLink? {
        let wanted = LinkPath(path, hasQuery: false)
        guard case .short = wanted.target, !wanted.isWebOnly else { return nil }
        let owner = cachedOwner(of: host)
        guard owner.isKnown else { return nil }
        // A second address counts only if no link is at the first, which the cache cannot confirm.
        guard let address = baseURL.addresses(host: host, path: wanted.path, isRegistered: owner.value != nil).first,
            let found = cache.lookUp({ $0.link(at: address) }), address.host.isEmpty || found.link.scope == owner.value
        else { return nil }
        return found
    }

    // MARK: Hosts

    /// Returns a URL that opened an app and is no link of it; nil for a page of this server, whose address may have a secret, such as an invitation.
    func foreignURL(_ url: String?) async throws -> String? {
        guard let url else { return nil }
        let (path, host) = (URLParts(url).path, URLParts(url).host)
        guard let first = path.split(separator: "/").first, Alias.operatorSegments.contains(first.lowercased()) else { return url }
        return try await isOwnHost(host) ? nil : url
    }

    package func isOwnHost(_ host: String) async throws -> Bool {
        if host == baseURL.host { return true }
        return try await owner(of: host) != nil
    }

    /// Returns the one app whose links a host has; nil if links of any app may be there, as on the base URL's host, even where that is an
    /// app's domain.
    func soleOwner(of host: String) async throws -> Scope? {
        host == baseURL.host ? nil : try await owner(of: host)
    }

    /// Returns the app whose domain a host is, if cached.
    func cachedOwner(of host: String) -> Lookup<Scope> { cachedDomain(host).compactMap { $0.scope } }

    /// Returns the app whose domain a host is; nil if it is no app's.
    func owner(of host: String) async throws -> Scope? { try await domain(host)?.scope }

    /// Returns the domain of a host, if cached.
    package func cachedDomain(_ host: String) -> Lookup<Domain> { cache.lookUp({ $0.domain(of: host) }) }

    /// Returns the domain of a host; nil if it is no app's.
    package func domain(_ host: String) async throws -> Domain? {
        let cached = cachedDomain(host)
        guard !cached.isKnown else { return cached.value }
        let ticket = cache.ticket
        let domain = try await storage.read { try $0.domain(host) }
        cache.insert(ticket) { $0.insert(domain, of: host, isBase: host == baseURL.host) }
        return domain
    }
}
