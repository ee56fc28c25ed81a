import LindenKernel
import LinkRouting
import RoutePatterns
import Synchronization

/// The cached data of one side of an app that requests need, found by key, scope or link.
package final class AppContext: Sendable {
    /// The app with the settings of this side.
    package let app: App
    package let key: AppKey
    private let formerSecrets: [FormerSecret]
    /// The scope's domains, in the order in which they were added.
    private let domains: [String]
    /// The longest window in which a click may be matched by address.
    let longestMatch: Duration
    /// See ``AppConfiguration/matchesFingerprints``.
    let matchesFingerprints: Bool
    /// See ``AppConfiguration/alternateDomain``.
    let alternateDomain: String?
    package let routing: AppSettings
    package let storedRoutes: StoredRoutes
    private let outdated = Atomic(false)

    package var scope: Scope { key.scope }

    /// Whether the app was, or may have been, changed after this was read. Cached links of an outdated app are not used; so all apps of cached
    /// links are either cached in ``AppDirectory``, which marks them, or outdated.
    var isOutdated: Bool {
        get { outdated.load(ordering: .acquiring) }
        set { outdated.store(newValue, ordering: .releasing) }
    }

    /// The routes of URLs within the app.
    package var routes: RouteTable { storedRoutes.table }

    /// The host of new links: the scope's first domain, or nil for the base URL's host.
    package var domain: String? { domains.first }

    package convenience init(app: App, key: AppKey, formerSecrets: [FormerSecret], domains: [String], routes: [Route]) {
        self.init(
            app: app.side(key.scope.mode), key: key, formerSecrets: formerSecrets, domains: domains,
            storedRoutes: StoredRoutes(routes))
    }

    private init(app: App, key: AppKey, formerSecrets: [FormerSecret], domains: [String], storedRoutes: StoredRoutes) {
        self.formerSecrets = formerSecrets
        self.app = app
        self.key = key
        self.domains = domains
        self.storedRoutes = storedRoutes
        var routing = app.configuration.routing
        for host in domains { routing.ownHosts.insert(host) }
        self.routing = routing
        longestMatch = app.configuration.longestMatch
        matchesFingerprints = app.configuration.matchesFingerprints
        alternateDomain = app.configuration.alternateDomain
    }

    /// Returns the context with all that another key's of the same side holds.
    func sharing(_ other: AppContext) -> AppContext { AppContext(other, key: key) }

    private init(_ other: AppContext, key: AppKey) {
        self.key = key
        (app, formerSecrets, domains) = (other.app, other.formerSecrets, other.domains)
        (routing, storedRoutes) = (other.routing, other.storedRoutes)
        (longestMatch, matchesFingerprints, alternateDomain) =
            (other.longestMatch, other.matchesFingerprints, other.alternateDomain)
    }

    /// Returns the context with the given routes, those of the app's other side, so that both sides share one table.
    func sharing(_ routes: StoredRoutes) -> AppContext {
        AppContext(app: app, key: key, formerSecrets: formerSecrets, domains: domains, storedRoutes: routes)
    }

    /// Whether a secret is this side's current one, or a former one within its overlap.
    func accepts(_ secret: String, at time: Timestamp) -> Bool {
        let hash = Secret.hash(secret)
        return ([key.secretHash] + formerSecrets.filter { !$0.hasEnded(at: time) }.map(\.hash))
            .reduce(false) { Secret.isEqual(hash, $1) || $0 }
    }
}
