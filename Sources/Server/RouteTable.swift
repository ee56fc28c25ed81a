import HTTPTypes
import Hummingbird

/// The routes of the API and of links, each with a router of its own, and the search for the one of a path.
///
/// Hummingbird's router reads a long segment once for each route that it could belong to, before any middleware: a path of 60 KB took a
/// third of a second. Here a path is split once, up to the depth of the deepest route, and looked up segment by segment.
final class RouteTable: RouterMethods {
    typealias Context = LindenContext

    private var middlewares: [any MiddlewareProtocol<Request, Response, LindenContext>] = []
    private var routers: [String: Router<LindenContext>] = [:]
    /// The methods and paths of all routes.
    private(set) var routes: [(method: HTTPRequest.Method, path: String)] = []

    /// Adds middleware for the routes that are added afterwards.
    @discardableResult func add(middleware: any MiddlewareProtocol<Request, Response, LindenContext>) -> Self {
        middlewares.append(middleware)
        return self
    }

    @discardableResult func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> Self where Responder.Context == LindenContext {
        let name = path.description
        let router = routers[name] ?? newRouter()
        routers[name] = router
        router.on(path, method: method, responder: responder)
        routes.append((method, name))
        return self
    }

    func buildResponder() -> RouteTableResponder {
        let responders = routers.mapValues { $0.buildResponder() }
        var root = RouteNode()
        for (path, responder) in responders { root.insert(responder, at: path.split(separator: "/")[...]) }
        return RouteTableResponder(
            literals: responders.filter { !$0.key.contains("{") && !$0.key.contains("*") }, root: root,
            missing: newRouter().buildResponder())
    }

    private func newRouter() -> Router<LindenContext> {
        let router = Router(context: LindenContext.self)
        for middleware in middlewares { router.add(middleware: middleware) }
        return router
    }
}

/// Hands a request to the router of its path.
struct RouteTableResponder: HTTPResponder {
    /// The routers of whole paths without parameters. A literal segment comes before a parameter, so no other route is theirs.
    private let literals: [String: RouterResponder<LindenContext>]
    private let root: RouteNode
    /// Answers for paths without a route.
    private let missing: RouterResponder<LindenContext>
    private let depth: Int

    fileprivate init(
        literals: [String: RouterResponder<LindenContext>], root: RouteNode, missing: RouterResponder<LindenContext>
    ) {
        self.literals = literals
        self.root = root
        self.missing = missing
        depth = root.depth
    }

    func respond(to request: Request, context: LindenContext) async throws -> Response {
        try await router(of: request.uri.path).respond(to: request, context: context)
    }

    private func router(of path: String) -> RouterResponder<LindenContext> {
        if let literal = literals[path] { return literal }
        // One segment more than the deepest route has, so that longer paths are not taken for it.
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: depth).map { Substring($0) }
        return root.node(at: segments[...])?.responder ?? missing
    }
}

/// A segment of routes, and those that may follow it.
private struct RouteNode: Sendable {
    var responder: RouterResponder<LindenContext>?
    private var literals: [Substring: RouteNode] = [:]
    /// At most one element: what follows any segment (`{name}`).
    private var parameter: [RouteNode] = []
    /// At most one element: what follows any further segments (`**`).
    private var others: [RouteNode] = []

    /// The number of segments of the longest route.
    var depth: Int { ((literals.values + parameter).map(\.depth).max() ?? 0) + 1 }

    mutating func insert(_ responder: RouterResponder<LindenContext>, at path: ArraySlice<Substring>) {
        guard let segment = path.first else { return self.responder = responder }
        if segment == "**" {
            others = [RouteNode()]
            others[0].responder = responder
        } else if segment.hasPrefix("{") {
            if parameter.isEmpty { parameter = [RouteNode()] }
            parameter[0].insert(responder, at: path.dropFirst())
        } else {
            literals[segment, default: RouteNode()].insert(responder, at: path.dropFirst())
        }
    }

    /// Returns the node of a path, which may have no route. A literal segment comes before a parameter, and any further segments are only
    /// for paths whose segment here is no literal.
    func node(at path: ArraySlice<Substring>) -> RouteNode? {
        guard let segment = path.first else { return self }
        let literal = literals[segment]
        return literal?.node(at: path.dropFirst()) ?? parameter.first?.node(at: path.dropFirst())
            ?? (literal == nil ? others.first : nil)
    }
}
