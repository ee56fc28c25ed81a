import LinkRouting

/// A link as the click path needs it.
package struct FoundLink: Sendable {
    /// What all who find the link share.
    private final class Stored: Sendable {
        let link: Link
        let app: AppContext
        let isCounted: Bool

        init(_ link: Link, _ app: AppContext) {
            self.link = link
            self.app = app
            isCounted = link.isCounted
        }
    }

    private let stored: Stored
    package var link: Link { _read { yield stored.link } }
    package var app: AppContext { stored.app }
    /// ``Link/isCounted``, which every visit asks.
    var isCounted: Bool { stored.isCounted }
    package var parameters: ControlParameters { didSet { urls = nil } }
    /// Those of ``parameters``, where they were worked out for all visits.
    private(set) var urls: LinkURLs?
    /// Where the link was named by a click of it: what was appended then.
    package var clickedQuery: String?
    /// The click that named it.
    package var via: Click.ID?
    /// When somebody made it; nil if nobody did.
    package var clickedAt: Timestamp?
    /// The URLs of other sites that a long link says, which do not count.
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

    /// Whether the click that named the link was a moment ago, so that what follows goes on with it.
    func isGoingOn(at now: Timestamp) -> Bool {
        clickedAt.map { now < $0 + link.matchWindow(appended: clickedQuery, atMost: app.longestMatch) } ?? false
    }
}

/// Finds links by address, from memory where it can. Unknown addresses are not kept, so minting a link invalidates nothing.
package final class LinkDirectory: Sendable {
    private struct Entries {
        var byAddress: [LinkAddress: FoundLink] = [:]
        /// Bytes of them in `byAddress`.
        var weight = 0
        /// Nil for a host that is no app's domain.
        var domains: [String: Domain?] = [:]
    }

    /// Bytes of link data, and of the addresses made of it, that are kept: enough for the links that are clicked at any one time, and no
    /// more however large one is.
    private static let capacity = 32 << 20
    /// What a link weighs beside its data.
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

    /// The link at a host, path and query as they were requested; nil if there is none or it or its app was deleted.
    package func link(host: String, path: String, query: String?) async throws -> FoundLink? {
        let wanted = LinkPath(path, hasQuery: query?.isEmpty == false)
        var found: FoundLink?
        switch wanted.target {
        case .long(let branchKey): found = try await longLink(host: host, branchKey: branchKey, query: query ?? "")
        case .short: found = try await shortLink(host: host, path: wanted.path)
        case .click(let slug): found = try await shortLink(host: host, path: slug)
        }
        if wanted.isWebOnly { found?.parameters.set("$web_only", to: "true") }
        return found
    }

    /// The link that was clicked, or sent by text message, with what was appended to it then. Nil if there is none, or if the host
    /// belongs to another app.
    func link(of id: Click.ID, host: String) async throws -> FoundLink? {
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
        // A click on the address of a click goes back to the first of them.
        return FoundLink(
            link: found.link, app: app, parameters: found.link.controlParameters, clickedQuery: found.query,
            via: found.via ?? id, clickedAt: found.isPerson ? id.time : nil)
    }

    /// The link that `/c/…` names on a host: by a click of it, or by its slug.
    func link(host: String, clickOrSlug name: String) async throws -> FoundLink? {
        if let id: Click.ID = publicIDs.id(for: name), let clicked = try await link(of: id, host: host) { return clicked }
        return try await shortLink(host: host, path: "/" + name)
    }

    private func shortLink(host: String, path: String) async throws -> FoundLink? {
        let owner = try await owner(of: host)
        for address in baseURL.addresses(host: host, path: path, isRegistered: owner != nil) {
            // What was made before the host changed hands is not the new owner's.
            if let found = try await link(at: address), address.host.isEmpty || found.link.scope == owner { return found }
        }
        return nil
    }

    /// A domain belongs to one app, and nobody else's links lie there unless it is the base URL's host; elsewhere only a key can say
    /// whose link it is.
    private func longLink(host: String, branchKey: String?, query: String) async throws -> FoundLink? {
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
        return FoundLink(link: link, app: app, parameters: link.controlParameters)
    }

    /// The link a URL leads to; nil for a URL that is not one of ours, or longer than ``LinkSizeLimits/addressBytes``.
    package func link(url: String) async throws -> FoundLink? {
        guard url.utf8.count <= LinkSizeLimits.addressBytes else { return nil }
        let parts = URLParts(url)
        guard ["http", "https"].contains(parts.scheme) else { return nil }
        if try await !isOwnHost(parts.host) {
            // SDKs that know no link host of ours make long links on Branch's: the key says whose they are.
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

    /// To be called after a link was changed by this process.
    package func forget(_ address: LinkAddress) {
        cache.change { $0.byAddress[address] = nil }
    }

    /// To be called after apps or domains were changed by this process.
    package func forget() {
        cache.clear()
    }

    private func link(at address: LinkAddress) async throws -> FoundLink? {
        if let found = cache.value({ $0.byAddress[address] }) { return found }
        let ticket = cache.ticket
        guard let link = try await storage.read({ try $0.link(at: address) }), link.deletedAt == nil,
            let app = try await apps.app(scope: link.scope)
        else { return nil }
        let parameters = link.controlParameters
        let urls = LinkURLs(of: parameters, app.routing)
        let found = FoundLink(link: link, app: app, parameters: parameters, urls: urls)
        let weight = Self.overhead + JSON.object(link.data).bytes.count + (urls?.weight ?? 0)
        cache.insert(ticket) { entries in
            if entries.weight + weight > Self.capacity {
                entries.byAddress.removeAll()
                entries.weight = 0
            }
            entries.byAddress[address] = found
            entries.weight += weight
        }
        return found
    }

    /// Nil if the app was deleted.
    func app(of link: Link) async throws -> AppContext? {
        try await apps.app(scope: link.scope)
    }

    func isOwnHost(_ host: String) async throws -> Bool {
        if host == baseURL.host { return true }
        return try await owner(of: host) != nil
    }

    /// Whose links alone lie on a host; nil if anybody's do, as on the base URL's host, even where that is an app's domain.
    private func soleOwner(of host: String) async throws -> Scope? {
        host == baseURL.host ? nil : try await owner(of: host)
    }

    /// The short link at a host and path, if memory knows it; nil if it does not, or if the address is more than a short link's.
    func known(host: String, path: String) -> FoundLink? {
        let wanted = LinkPath(path, hasQuery: false)
        guard case .short = wanted.target, !wanted.isWebOnly, let owner = knownOwner(of: host) else { return nil }
        // A second address counts only where nothing lies at the first, which memory does not know.
        guard let address = baseURL.addresses(host: host, path: wanted.path, isRegistered: owner != nil).first,
            let found = cache.value({ $0.byAddress[address] }), address.host.isEmpty || found.link.scope == owner
        else { return nil }
        return found
    }

    /// Whose domain a host is, if memory knows; nil if it does not.
    func knownOwner(of host: String) -> Scope?? { cache.value { $0.domains[host].map { $0?.scope } } }

    /// Whose domain a host is; nil if it is no app's.
    func owner(of host: String) async throws -> Scope? { try await domain(host)?.scope }

    /// The domain that a host is, if memory knows; nil if it does not.
    func knownDomain(_ host: String) -> Domain?? { cache.value { $0.domains[host] } }

    /// The domain that a host is; nil if it is no app's.
    func domain(_ host: String) async throws -> Domain? {
        if let known = knownDomain(host) { return known }
        let ticket = cache.ticket
        let domain = try await storage.read { try $0.domain(host) }
        cache.insert(ticket) { entries in
            if entries.domains.count >= 1000 { entries.domains.removeAll() }
            entries.domains[host] = .some(domain)
        }
        return domain
    }
}
