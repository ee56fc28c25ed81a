import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices
import LinkRouting
import RoutePatterns

/// The routes of an app, which map URLs to its screens, in the management API, authorized by an access token. They apply to both sides.
struct RouteManagementRoutes {
    let authorizer: AppAuthorizer
    let routes: RouteService
    let options: ServerOptions

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await app(request, context, to: .readSetUp, of: "the list of routes")
        return .json(["routes": .array(try await routes.list(app).map { .object($0.view) })])
    }

    /// Shows the route that matches a URL, and its parameters.
    func match(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readSetUp, parameters: ["app", "url", "platform"], of: "the trial of a URL")
        guard let url = query.value("url") else { throw Failure.invalid("url is missing: one that the app receives.") }
        let platform: Platform = try query.choice("platform") ?? .iOS
        let routes = try await authorizer.apps.context("\(scope.app)").routes
        return .json(.object(RouteTrial(url, on: platform, routes: routes).view))
    }

    /// Adds the route of a pattern, or without `target` all routes of a registration string of WAAppRouting.
    func add(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await app(request, context, to: .administer, of: "the addition of a route")
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try body.check(
            ["syntax", "key", "pattern", "target", "id", "before", "modal", "enabled", "defaults"], of: "a route")
        let new = try body.routes()
        let added = try await routes.add(
            new, to: app, before: try body.strictText("before"), ignoringRepeats: try body.strictText("target") == nil)
        return .json(["routes": .array(added.map { .object($0.view) })])
    }

    /// Enables or disables a route.
    func change(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await app(request, context, to: .administer, of: "this call")
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["enabled"], of: "a route")
        guard let isEnabled = try body.strictFlag("enabled") else { throw Failure.invalid("enabled is missing: true or false.") }
        let id = id(context)
        try await routes.set(id, of: app, isEnabled: isEnabled)
        return .json(.object(try await routes.route(id, of: app).view))
    }

    func remove(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await app(request, context, to: .administer, of: "this call")
        let id = id(context)
        try await routes.remove(id, from: app)
        return .json(["id": .string(id), "removed": true])
    }

    private func app(
        _ request: Request, _ context: LindenContext, to permission: Permission, of call: String
    ) async throws -> App.ID {
        try await authorizer.authorize(request, context, to: permission, of: call).scope.app
    }

    private func id(_ context: LindenContext) -> String {
        PercentCoding.decode(context.parameters.get("route_id") ?? "")
    }
}

extension RequestFields {
    /// The routes of a body, as the command line reads its options.
    fileprivate func routes() throws -> [Route] {
        guard let syntax: Route.Syntax = try choice("syntax") else { throw Failure.invalid("syntax is missing: roots or waapp.") }
        guard let pattern = try strictText("pattern") else { throw Failure.invalid("pattern is missing.") }
        let (target, key) = (try strictText("target"), try strictText("key").map(AppLinkKey.init(rawValue:)))
        let (isModal, isEnabled) = (try strictFlag("modal") ?? false, try strictFlag("enabled") ?? true)
        let (id, defaults) = (try strictText("id"), try defaults())
        guard let target else {
            guard syntax == .waapp else { throw Failure.invalid("With the syntax roots, target must be given.") }
            guard !isModal else {
                throw Failure.invalid("modal needs target; in a registration string, a ! after a class means modal.")
            }
            return try Route.registered(by: pattern, id: id).map { route in
                var route = route
                route.key = key
                route.isEnabled = isEnabled
                route.defaults = defaults
                return route
            }
        }
        return [
            Route(
                id: id ?? "", syntax: syntax, key: key, pattern: pattern, target: target, isModal: isModal, isEnabled: isEnabled,
                defaults: defaults)
        ]
    }

    private func defaults() throws -> [String: RouteValue] {
        guard let value = members["defaults"], !value.isNull else { return [:] }
        guard let defaults = value.object else { throw Failure.invalid("defaults must be an object, not \(value.kind).") }
        return try defaults.reduce(into: [:]) { values, member in
            guard let text = member.value.string else {
                throw Failure.invalid("defaults must hold strings, not \(member.value.kind) in \(member.key).")
            }
            values[member.key] = .text(text)
        }
    }
}
