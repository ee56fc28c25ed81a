import LinkRouting

/// Everything a request needs to know of the app it belongs to, found by key or by link and kept in memory.
package final class AppContext: Sendable {
    /// With the settings of this side.
    package let app: App
    package let key: AppKey
    private let formerSecrets: [FormerSecret]
    /// The scope's domains, the first added first.
    private let domains: [String]
    /// The longest time in which a click may be matched by its address.
    let longestMatch: Duration
    package let routing: AppSettings
    package let storedRoutes: StoredRoutes

    package var scope: Scope { key.scope }

    /// Where URLs lead within the app.
    package var routes: RouteTable { storedRoutes.table }

    /// The host of new links: the first domain of the scope, or nil for the base URL's.
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
    }

    /// The same with the routes of the app's other side.
    func sharing(_ routes: StoredRoutes) -> AppContext {
        AppContext(app: app, key: key, formerSecrets: formerSecrets, domains: domains, storedRoutes: routes)
    }

    /// Whether a secret is this side's present one, or a former one within its overlap.
    func accepts(_ secret: String, at time: Timestamp) -> Bool {
        let hashes = [key.secretHash] + formerSecrets.filter { !$0.hasEnded(at: time) }.map(\.hash)
        return hashes.reduce(false) { Secret.matches(secret, hash: $1) || $0 }
    }
}
