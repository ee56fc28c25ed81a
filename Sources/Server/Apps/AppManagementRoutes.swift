import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The apps of the installation in the management API, authorized by an access token.
///
/// The token and its role are checked before an app is looked up. An app that the token is not valid for is answered like none.
struct AppManagementRoutes {
    let apps: AppService
    let tokens: TokenService
    let options: ServerOptions

    /// All apps, or the one that the token is valid for.
    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let token = try await tokens.authorize(request.accessToken, role: .analyst)
        try QueryParameters(request.rawQuery).check([], of: "the list of apps")
        let found = try await apps.list().filter { token.app == nil || token.app == $0.app.id }
        for app in found.prefix(1) { try context.admission?.admit(Scope(app: app.app.id, mode: .live), token: token.id) }
        return .json(["apps": .array(found.map { .object($0.view) })])
    }

    /// An app with its settings.
    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        _ = try await scope(request, context, for: .analyst)
        return .json(.object(try await apps.show(reference(context)).detailedView))
    }

    /// Changes the name and settings of one side of an app, as `linden apps update` does.
    func change(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await scope(request, context, for: .admin)
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try body.check(["name", "settings"], of: "an app")
        let settings = try body.object("settings") ?? [:]
        for (name, value) in settings where !value.isNull { try AppSetting.requireKnown(name) }
        let name: String? =
            switch try body.update("name") {
            case .keep: nil
            case .set(let name): name
            // An app always has a name: refused.
            case .clear: ""
            }
        _ = try await apps.update(scope, name: name, settings: settings)
        return .json(.object(try await apps.show(reference(context)).detailedView))
    }

    /// All settings that an app can have.
    func listSettings(_ request: Request, _ context: LindenContext) async throws -> Response {
        _ = try await tokens.authorize(request.accessToken, role: .analyst)
        try QueryParameters(request.rawQuery).check([], of: "the list of settings")
        return .json(["settings": .array(AppSetting.all.map { .object($0.view) })])
    }

    /// Returns the side of an app that a path names by a key or, for the live side, by its id.
    private func scope(_ request: Request, _ context: LindenContext, for role: AccessToken.Role) async throws -> Scope {
        let token = try await tokens.authorize(request.accessToken, role: role)
        try QueryParameters(request.rawQuery).check([], of: "this call")
        let scope = try await apps.context(reference(context)).scope
        guard token.app == nil || token.app == scope.app else {
            throw Failure.notFound("\(reference(context)) is neither the key nor the id of an app here.")
        }
        try context.admission?.admit(scope, token: token.id)
        return scope
    }

    private func reference(_ context: LindenContext) -> String { context.parameters.get("app") ?? "" }
}
