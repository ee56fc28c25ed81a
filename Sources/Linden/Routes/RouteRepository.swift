import LinkRouting

package protocol RouteReader {
    /// An app's routes, the first registered first.
    func routes(of app: App.ID) throws -> [Route]
}

package protocol RouteRepository: RouteReader {
    /// Adds routes in their order before one of the app's, or behind all. False if an id or a path is taken or that one is not
    /// there; then some may have been added.
    func insert(_ routes: [Route], of app: App.ID, before: String?, at time: Timestamp) throws -> Bool
    /// Switches a route on or off. False if the app has none with this id.
    func setRoute(_ id: String, of app: App.ID, isEnabled: Bool) throws -> Bool
    /// False if the app has none with this id.
    func deleteRoute(_ id: String, of app: App.ID) throws -> Bool
}
