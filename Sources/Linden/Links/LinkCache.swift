import LindenKernel
import LinkRouting

/// The cached links and hosts of ``LinkDirectory``.
///
/// Anyone with a public key can create large links, and anyone can send any host name. Large links and unknown hosts are therefore cached
/// apart, where they evict only each other.
struct LinkCache: Sendable {
    /// The byte cost from which a link counts as large.
    private static let largeLinkBytes = 16 << 10
    /// The byte cost of a link in addition to its data and URLs.
    private static let overhead = 512

    private var links = TwoGenerationCache<LinkAddress, ResolvedLink>(capacity: 32 << 20)
    private var largeLinks = TwoGenerationCache<LinkAddress, ResolvedLink>(capacity: 8 << 20)
    /// The registered domains, and the base URL's host even if it is not one of them.
    private var domains = TwoGenerationCache<String, Lookup<Domain>>(capacity: 4000)
    /// Hosts that are not an app's domain.
    private var unknownHosts = TwoGenerationCache<String, Lookup<Domain>>(capacity: 1000)

    /// The changes of apps after which the links of outdated ones are removed, each of which may hold a megabyte of its app.
    private static let mostChanges = 16
    private var changes = 0

    /// The look-ups of links that exist.
    private(set) var use = CacheUse()

    /// The approximate memory size of all cached links in bytes.
    var byteCost: Int { links.cost + largeLinks.cost }

    mutating func link(at address: LinkAddress) -> ResolvedLink? {
        guard let link = links.value(for: address) ?? largeLinks.value(for: address), !link.app.isOutdated else { return nil }
        use.hits += 1
        return link
    }

    mutating func insert(_ link: ResolvedLink, at address: LinkAddress, byteCost: Int) {
        use.misses += 1
        remove(address)
        if byteCost < Self.largeLinkBytes {
            links.insert(link, for: address, cost: byteCost)
        } else {
            largeLinks.insert(link, for: address, cost: byteCost)
        }
    }

    mutating func remove(_ address: LinkAddress) {
        links.remove(address)
        largeLinks.remove(address)
    }

    /// Adds the bytes of another decision to the cost of a link. Has no effect if another version of it, or none, is cached.
    ///
    /// The link's data is not counted again: it may be large, and all visits wait meanwhile.
    mutating func addDecision(to link: ResolvedLink) {
        let address = link.link.address
        guard let cached = self.link(at: address), cached.isSameVersion(as: link) else { return }
        links.addCost(DecisionCache.bytesOfEach, to: address)
        largeLinks.addCost(DecisionCache.bytesOfEach, to: address)
    }

    /// Returns the approximate memory size of a link in bytes.
    static func byteCost(of link: ResolvedLink) -> Int {
        let (stored, labels) = (link.link, link.link.labels)
        let texts = [
            labels.channel, labels.feature, labels.campaign, labels.stage, stored.limits.expiredURL, stored.ignoredUserAgent,
            stored.address.path,
        ]
        // Labels are stored with the link, and again among the parameters that a redirect reads.
        let bytes = (texts.compactMap { $0 } + labels.tags).reduce(0) { $0 + 2 * (textOverhead + $1.utf8.count) }
        return overhead + JSON.object(stored.data).byteCost + bytes + (link.urls?.byteCost ?? 0) + link.hostBytes
    }

    /// The byte cost of a text in addition to its bytes: its place in an array and the header of its storage.
    private static let textOverhead = 48

    /// Returns the domain of a host; absent if the host is not an app's domain.
    mutating func domain(of host: String) -> Lookup<Domain> {
        if let domain = domains.value(for: host) { return domain }
        return unknownHosts.value(for: host) ?? .unknown
    }

    /// - Parameter isBase: whether the host is the base URL's.
    mutating func insert(_ domain: Domain?, of host: String, isBase: Bool) {
        if domain != nil || isBase {
            domains.insert(Lookup(domain), for: host)
        } else {
            unknownHosts.insert(.absent, for: host)
        }
    }

    /// Removes the links of apps that have been changed since, whose data may have been erased.
    mutating func removeOutdated() {
        links.removeAll { $0.app.isOutdated }
        largeLinks.removeAll { $0.app.isOutdated }
    }

    /// Removes the domains of an app that is changed, and all hosts without one: the app may have got them.
    mutating func removeDomains(of app: App.ID) {
        changes += 1
        if changes.isMultiple(of: Self.mostChanges) { removeOutdated() }
        domains.removeAll { $0.value.map { $0.scope.app == app } ?? true }
        unknownHosts = TwoGenerationCache(capacity: unknownHosts.capacity)
    }
}
