import LinkRouting

package protocol RouteReader {
    /// An app's routes, the first registered first.
    func routes(of app: App.ID) throws -> [Route]
}

package protocol RouteRepository: RouteReader {
    /// Adds a route behind the app's others. False if its id or its path is taken.
    func insert(_ route: Route, of app: App.ID, at time: Timestamp) throws -> Bool
    /// Switches a route on or off. False if the app has none with this id.
    func setRoute(_ id: String, of app: App.ID, isEnabled: Bool) throws -> Bool
    /// False if the app has none with this id.
    func deleteRoute(_ id: String, of app: App.ID) throws -> Bool
}
