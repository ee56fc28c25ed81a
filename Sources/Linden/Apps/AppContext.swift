import LinkRouting

/// Everything a request needs to know of the app it belongs to, found by key or by link and kept in memory.
package final class AppContext: Sendable {
    package let app: App
    package let key: AppKey
    /// The host of new links: the first domain of the scope, or nil for the base URL's.
    package let domain: String?
    package let routing: AppSettings
    package let storedRoutes: StoredRoutes

    package var scope: Scope { key.scope }
    /// Where URLs lead within the app.
    package var routes: RouteTable { storedRoutes.table }

    package convenience init(app: App, key: AppKey, domain: String?, routes: [Route]) {
        self.init(app: app, key: key, domain: domain, storedRoutes: StoredRoutes(routes))
    }

    private init(app: App, key: AppKey, domain: String?, storedRoutes: StoredRoutes) {
        self.app = app
        self.key = key
        self.domain = domain
        self.storedRoutes = storedRoutes
        routing = app.configuration.routing
    }

    /// The same with the routes of the app's other side.
    func sharing(_ routes: StoredRoutes) -> AppContext { AppContext(app: app, key: key, domain: domain, storedRoutes: routes) }
}
