import LindenKernel
import RoutePatterns

package protocol RouteReader {
    /// Returns an app's routes in matching order.
    func routes(of app: App.ID) throws -> [Route]
}

package protocol RouteRepository: RouteReader {
    /// Inserts routes before one of the app's routes, or at the end. Returns false if an id or a path is in use or that route does not
    /// exist; some may have been inserted then.
    func insert(_ routes: [Route], of app: App.ID, before: String?, at time: Timestamp) throws -> Bool
    /// Enables or disables a route. Returns false if the app has no route with this id.
    func setRoute(_ id: String, of app: App.ID, isEnabled: Bool) throws -> Bool
    /// Deletes a route. Returns false if the app has no route with this id.
    func deleteRoute(_ id: String, of app: App.ID) throws -> Bool
}
