/// The routes of an app, in order: the first that matches decides. Every change is validated: each route can match, and the total length of
/// patterns is limited so that matching stays fast.
public struct RouteTable: Sendable, Hashable {
    /// The maximum length of a route's pattern, in bytes of UTF-8.
    public static let patternLength = 512
    /// The maximum total length of a table's patterns, in bytes of UTF-8. Matching takes time proportional to this times the URL's length.
    public static let weight = 16_384
    /// The maximum length of a URL, in bytes of UTF-8. A longer one matches no route.
    public static let urlLength = 2_048

    public private(set) var routes: [Route] = []
    /// The parsed patterns, parallel to ``routes``.
    private(set) var patterns: [RoutePattern] = []
    private var ids: Set<String> = []
    private var paths: Set<RoutePath> = []
    private var weight = 0

    public init() {}

    public init(_ routes: [Route]) throws(RouteSyntaxError) {
        for route in routes { try add(route) }
    }

    /// Creates a table of stored routes, which were validated by the rules of their time. Unreadable and duplicate routes, and those beyond
    /// the total length, are left out; the others still work.
    public init(stored routes: [Route]) {
        for route in routes where !ids.contains(route.id) && !paths.contains(route.path) {
            guard weight + route.pattern.utf8.count <= RouteTable.weight, let pattern = try? route.readPattern() else { continue }
            append(route, pattern)
        }
    }

    /// Appends a route. Throws for an id or path that exists already, even if that route is disabled.
    public mutating func add(_ route: Route) throws(RouteSyntaxError) {
        guard !ids.contains(route.id) else {
            throw RouteSyntaxError(.duplicateID, "there is a route '\(route.id)' already; each route needs an id of its own")
        }
        append(route, try read(route, replacing: nil))
    }

    /// Replaces the route with the same id, in its place.
    public mutating func replace(_ route: Route) throws(RouteSyntaxError) {
        guard let index = index(of: route.id) else {
            throw RouteSyntaxError(.unknownID, "there is no route '\(route.id)' to replace")
        }
        let pattern = try read(route, replacing: routes[index])
        forget(routes[index])
        note(route)
        routes[index] = route
        patterns[index] = pattern
    }

    /// Removes a route; returns false if there is none with this id.
    @discardableResult
    public mutating func remove(id: String) -> Bool {
        guard let index = index(of: id) else { return false }
        forget(routes.remove(at: index))
        patterns.remove(at: index)
        return true
    }

    /// Throws if ``add(_:)`` or ``replace(_:)`` would reject the route; changes nothing.
    public func check(_ route: Route) throws(RouteSyntaxError) {
        _ = try read(route, replacing: index(of: route.id).map { routes[$0] })
    }

    public func contains(id: String) -> Bool { ids.contains(id) }

    private func index(of id: String) -> Int? {
        ids.contains(id) ? routes.firstIndex { $0.id == id } : nil
    }

    private func read(_ route: Route, replacing old: Route?) throws(RouteSyntaxError) -> RoutePattern {
        let pattern = try route.checkPattern()
        guard route.path == old?.path || !paths.contains(route.path) else { throw .duplicatePath(route.pattern) }
        guard weight - (old?.pattern.utf8.count ?? 0) + route.pattern.utf8.count <= RouteTable.weight else {
            throw RouteSyntaxError(
                .tooLong, "the patterns of all routes are too long together; at most \(RouteTable.weight) bytes are allowed")
        }
        return pattern
    }

    private mutating func append(_ route: Route, _ pattern: RoutePattern) {
        note(route)
        routes.append(route)
        patterns.append(pattern)
    }

    private mutating func note(_ route: Route) {
        ids.insert(route.id)
        paths.insert(route.path)
        weight += route.pattern.utf8.count
    }

    private mutating func forget(_ route: Route) {
        ids.remove(route.id)
        paths.remove(route.path)
        weight -= route.pattern.utf8.count
    }
}
