import LinkRouting

/// Everything a request needs to know of the app it belongs to, found by key or by link and kept in memory.
package struct AppContext: Sendable {
    package let app: App
    package let key: AppKey
    /// The host of new links: the first domain of the scope, or nil for the base URL's.
    package let domain: String?
    package let routing: AppSettings
    package internal(set) var storedRoutes: StoredRoutes

    package var scope: Scope { key.scope }
    /// Where URLs lead within the app.
    package var routes: RouteTable { storedRoutes.table }

    package init(app: App, key: AppKey, domain: String?, routes: [Route]) {
        self.app = app
        self.key = key
        self.domain = domain
        storedRoutes = StoredRoutes(routes)
        routing = app.configuration.routing
    }
}
