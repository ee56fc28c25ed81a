import LinkRouting

/// Everything a request needs to know of the app it belongs to, found by key or by link and kept in memory.
package final class AppContext: Sendable {
    /// With the settings of this side.
    package let app: App
    package let key: AppKey
    /// The scope's domains, the first added first.
    private let domains: [String]
    /// The longest time in which a click may be matched by its address.
    let longestMatch: Duration
    package let routing: AppSettings
    package let storedRoutes: StoredRoutes

    package var scope: Scope { key.scope }

    /// Whether a secret is the key's own.
    package func has(secret: String?) -> Bool {
        guard let secret, !secret.isEmpty else { return false }
        return Secret.matches(secret, hash: key.secretHash)
    }

    /// Where URLs lead within the app.
    package var routes: RouteTable { storedRoutes.table }

    /// The host of new links: the first domain of the scope, or nil for the base URL's.
    package var domain: String? { domains.first }

    package convenience init(app: App, key: AppKey, domains: [String], routes: [Route]) {
        self.init(app: app.side(key.scope.mode), key: key, domains: domains, storedRoutes: StoredRoutes(routes))
    }

    private init(app: App, key: AppKey, domains: [String], storedRoutes: StoredRoutes) {
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
    func sharing(_ routes: StoredRoutes) -> AppContext { AppContext(app: app, key: key, domains: domains, storedRoutes: routes) }
}
