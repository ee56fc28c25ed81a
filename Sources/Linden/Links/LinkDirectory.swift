import LinkRouting

/// A resolved link: the link with its app and what the click path needs of both.
package struct ResolvedLink: Sendable {
    /// The part shared by all look-ups of the link.
    private final class Stored: Sendable {
        let link: Link
        let app: AppContext
        let hasUsageLimit: Bool

        init(_ link: Link, _ app: AppContext) {
            self.link = link
            self.app = app
            hasUsageLimit = link.hasUsageLimit
        }
    }

    private let stored: Stored
    package var link: Link { _read { yield stored.link } }
    package var app: AppContext { stored.app }
    /// ``Link/hasUsageLimit``, cached because every visit reads it.
    var hasUsageLimit: Bool { stored.hasUsageLimit }
    package var parameters: ControlParameters { didSet { urls = nil } }
    /// The URLs of ``parameters``; nil if they were not computed once for all visits.
    private(set) var urls: LinkURLs?
    /// The query appended at the earlier click, if the link was found by a click of it.
    package var clickedQuery: String?
    /// The click or text message whose id the link was found by.
    package var via: Click.ID?
    /// When that click was made or that message sent; nil without one, or if a robot clicked.
    package var clickedAt: Timestamp?
    /// URLs of other sites in a long link, which are ignored.
    let refused: [URLParts]

    init(
        link: Link, app: AppContext, parameters: ControlParameters, urls: LinkURLs? = nil, clickedQuery: String? = nil,
        via: Click.ID? = nil, clickedAt: Timestamp? = nil
    ) {
        stored = Stored(link, app)
        (self.parameters, refused) = link.isLong ? app.routing.trusted(longLink: parameters) : (parameters, [])
        self.urls = urls
        self.clickedQuery = clickedQuery
        self.via = via
        self.clickedAt = clickedAt
    }

    /// Splits an appended query into the items that count and the URLs of other sites, which are refused. A long link names no hosts itself:
    /// its parameters are that same query.
    func trusted(_ query: [QueryItem]) -> (items: [QueryItem], refused: [URLParts]) {
        app.routing.trusted(query, for: link.isLong ? ControlParameters() : parameters)
    }

    /// Returns whether the click that the link was found by is still within its match window, so that what follows continues it.
    func continuesClick(at now: Timestamp) -> Bool {
        clickedAt.map { now < $0 + link.matchWindow(appended: clickedQuery, atMost: app.longestMatch) } ?? false
    }
}

/// Finds links by address, cached where possible. Unknown addresses are not cached, so creating a link invalidates nothing.
package final class LinkDirectory: Sendable {
    private struct Entries {
        var byAddress: [LinkAddress: ResolvedLink] = [:]
        /// The byte cost of `byAddress`.
        var byteCost = 0
        /// Nil for a host that is not an app's domain.
        var domains: [String: Domain?] = [:]
    }

    /// The capacity of the cache, in bytes of link data and of the URLs computed from it: enough for the links that are clicked at any one
    /// time, and bounded however large each is.
    private static let capacity = 32 << 20
    /// The byte cost of a link in addition to its data.
    private static let overhead = 512

    private let storage: any Storage
    private let apps: AppDirectory
    private let baseURL: BaseURL
    private let publicIDs: PublicIDs
    private let cache: Cache<Entries>

    package init(storage: any Storage, apps: AppDirectory, baseURL: BaseURL, publicIDs: PublicIDs) {
        self.publicIDs = publicIDs
        self.storage = storage
        self.apps = apps
        self.baseURL = baseURL
        cache = Cache(empty: Entries(), storage: storage)
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
    func link(host: String, clickOrSlug name: String) async throws -> ResolvedLink? {
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

    /// Invalidates a link. To be called after this process changed it.
    package func invalidate(_ address: LinkAddress) {
        cache.change { $0.byAddress[address] = nil }
    }

    /// Invalidates all links and domains. To be called after this process changed apps or domains.
    package func invalidate() {
        cache.clear()
    }

    private func link(at address: LinkAddress) async throws -> ResolvedLink? {
        if let found = cache.value({ $0.byAddress[address] }) { return found }
        let ticket = cache.ticket
        guard let link = try await storage.read({ try $0.link(at: address) }), link.deletedAt == nil,
            let app = try await apps.app(scope: link.scope)
        else { return nil }
        let parameters = link.controlParameters
        let urls = LinkURLs(of: parameters, app.routing)
        let found = ResolvedLink(link: link, app: app, parameters: parameters, urls: urls)
        let byteCost = Self.overhead + JSON.object(link.data).bytes.count + (urls?.byteCost ?? 0)
        cache.insert(ticket) { entries in
            if entries.byteCost + byteCost > Self.capacity {
                entries.byAddress.removeAll()
                entries.byteCost = 0
            }
            entries.byAddress[address] = found
            entries.byteCost += byteCost
        }
        return found
    }

    /// Returns the app of a link; nil if it was deleted.
    func app(of link: Link) async throws -> AppContext? {
        try await apps.app(scope: link.scope)
    }

    func isOwnHost(_ host: String) async throws -> Bool {
        if host == baseURL.host { return true }
        return try await owner(of: host) != nil
    }

    /// Returns the one app whose links a host has; nil if links of any app may be there, as on the base URL's host, even where that is an
    /// app's domain.
    private func soleOwner(of host: String) async throws -> Scope? {
        host == baseURL.host ? nil : try await owner(of: host)
    }

    /// Returns the short link at a host and path, if cached; nil if it is not, or if the path is not that of a plain short link.
    func known(host: String, path: String) -> ResolvedLink? {
        let wanted = LinkPath(path, hasQuery: false)
        guard case .short = wanted.target, !wanted.isWebOnly, let owner = cachedOwner(of: host) else { return nil }
        // A second address counts only if no link is at the first, which the cache cannot confirm.
        guard let address = baseURL.addresses(host: host, path: wanted.path, isRegistered: owner != nil).first,
            let found = cache.value({ $0.byAddress[address] }), address.host.isEmpty || found.link.scope == owner
        else { return nil }
        return found
    }

    /// Returns the app whose domain a host is, if cached; the outer optional is nil if it is not.
    func cachedOwner(of host: String) -> Scope?? { cache.value { $0.domains[host].map { $0?.scope } } }

    /// Returns the app whose domain a host is; nil if it is no app's.
    func owner(of host: String) async throws -> Scope? { try await domain(host)?.scope }

    /// Returns the domain of a host, if cached; the outer optional is nil if it is not.
    func cachedDomain(_ host: String) -> Domain?? { cache.value { $0.domains[host] } }

    /// Returns the domain of a host; nil if it is no app's.
    func domain(_ host: String) async throws -> Domain? {
        if let known = cachedDomain(host) { return known }
        let ticket = cache.ticket
        let domain = try await storage.read { try $0.domain(host) }
        cache.insert(ticket) { entries in
            if entries.domains.count >= 1000 { entries.domains.removeAll() }
            entries.domains[host] = .some(domain)
        }
        return domain
    }
}
