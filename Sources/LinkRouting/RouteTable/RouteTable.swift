/// The routes of one app, in order: the first that matches decides. Every change is checked, so that a table holds no route that
/// could not match.
public struct RouteTable: Sendable, Hashable {
    public private(set) var routes: [Route] = []
    /// The routes' patterns, in the same places.
    private(set) var patterns: [RoutePattern] = []

    public init() {}

    public init(_ routes: [Route]) throws(RouteSyntaxError) {
        for route in routes { try add(route) }
    }

    /// Adds a route at the end. A path that is there already is refused, also when that route is switched off.
    public mutating func add(_ route: Route) throws(RouteSyntaxError) {
        guard !routes.contains(where: { $0.id == route.id }) else {
            throw RouteSyntaxError(.duplicateID, "there is a route '\(route.id)' already; each route needs an id of its own")
        }
        let pattern = try read(route)
        routes.append(route)
        patterns.append(pattern)
    }

    /// Puts a route in the place of the one with its id.
    public mutating func replace(_ route: Route) throws(RouteSyntaxError) {
        guard let index = routes.firstIndex(where: { $0.id == route.id }) else {
            throw RouteSyntaxError(.unknownID, "there is no route '\(route.id)' to replace")
        }
        patterns[index] = try read(route)
        routes[index] = route
    }

    /// Takes a route away; false if there is none with this id.
    @discardableResult
    public mutating func remove(id: String) -> Bool {
        guard let index = routes.firstIndex(where: { $0.id == id }) else { return false }
        routes.remove(at: index)
        patterns.remove(at: index)
        return true
    }

    /// Refuses a route that this table cannot take, without taking it.
    public func check(_ route: Route) throws(RouteSyntaxError) {
        _ = try read(route)
    }

    private func read(_ route: Route) throws(RouteSyntaxError) -> RoutePattern {
        let pattern = try route.readPattern()
        guard !routes.contains(where: { $0.id != route.id && $0.hasPath(of: route) }) else { throw .duplicatePath(route.pattern) }
        return pattern
    }
}
