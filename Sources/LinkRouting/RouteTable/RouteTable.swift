/// The routes of one app, in order: the first that matches decides. Every change is checked, so that a table holds no route that
/// could not match, and no more than can be matched in no time.
public struct RouteTable: Sendable, Hashable {
    /// Bytes of UTF-8 in the pattern of a route.
    public static let patternLength = 512
    /// Bytes of UTF-8 in all the patterns of a table: matching takes time in proportion to this times the length of the URL.
    public static let weight = 32_768
    /// Bytes of UTF-8 in a URL. A longer one takes no route.
    public static let urlLength = 2_048

    public private(set) var routes: [Route] = []
    /// The routes' patterns, in the same places.
    private(set) var patterns: [RoutePattern] = []
    private var ids: Set<String> = []
    private var paths: Set<RoutePath> = []
    private var weight = 0

    public init() {}

    public init(_ routes: [Route]) throws(RouteSyntaxError) {
        for route in routes { try add(route) }
    }

    /// The table of routes that were checked when they were written, whatever was allowed then. One that cannot be read is left
    /// out, as is what is too much: the others go on.
    public init(stored routes: [Route]) {
        for route in routes where !ids.contains(route.id) && !paths.contains(route.path) {
            guard weight + route.pattern.utf8.count <= RouteTable.weight, let pattern = try? route.readPattern() else { continue }
            append(route, pattern)
        }
    }

    /// Adds a route at the end. A path that is there already is refused, also when that route is switched off.
    public mutating func add(_ route: Route) throws(RouteSyntaxError) {
        guard !ids.contains(route.id) else {
            throw RouteSyntaxError(.duplicateID, "there is a route '\(route.id)' already; each route needs an id of its own")
        }
        append(route, try read(route, replacing: nil))
    }

    /// Puts a route in the place of the one with its id.
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

    /// Takes a route away; false if there is none with this id.
    @discardableResult
    public mutating func remove(id: String) -> Bool {
        guard let index = index(of: id) else { return false }
        forget(routes.remove(at: index))
        patterns.remove(at: index)
        return true
    }

    /// Refuses a route that this table cannot take, without taking it.
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
