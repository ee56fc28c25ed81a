import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The apps of the installation in the management API, authorized by an access token.
///
/// The token and its permission are checked before an app is looked up. An app that the token is not valid for is answered like none.
struct AppManagementRoutes {
    let apps: AppService
    let tokens: TokenService
    let baseURL: BaseURL
    let options: ServerOptions

    /// All apps, or the one that the token is valid for.
    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let token = try await tokens.authorize(request.accessToken, to: .readLinks)
        try QueryParameters(request.rawQuery).check([], of: "the list of apps")
        let found = try await apps.list(only: token.app)
        for app in found.prefix(1) { try context.admission?.admit(Scope(app: app.app.id, mode: .live), token: token.id) }
        return .json(["apps": .array(found.map { .object($0.view) })])
    }

    /// Creates an app, and shows its secrets for the only time.
    func create(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await authorizeForAllApps(request, "create an app")
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try body.check(["name", "settings", "domain"], of: "an app")
        guard let name = try body.strictText("name") else { throw Failure.invalid("name is missing: the app's name.") }
        let created = try await apps.create(
            NewApp(name: name, settings: try settings(of: body), domain: try body.strictText("domain")))
        return .json(.object(created.view(standardHost: baseURL.host)))
    }

    /// Deletes an app: its keys are refused, its links stop working, and its domains become free.
    func delete(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await authorizeForAllApps(request, "delete an app")
        let id = try await apps.scope(of: reference(context)).app
        try await apps.delete(id)
        return .json(["app_id": .string(String(id.rawValue)), "deleted": true])
    }

    /// An app with its settings.
    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        _ = try await scope(request, context, to: .readSetUp)
        return .json(.object(try await apps.show(reference(context)).detailedView))
    }

    /// Changes the name and settings of one side of an app, as `linden apps update` does.
    func change(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await scope(request, context, to: .administer)
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try body.check(["name", "settings"], of: "an app")
        let settings = try settings(of: body)
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
        _ = try await tokens.authorize(request.accessToken, to: .readSetUp)
        try QueryParameters(request.rawQuery).check([], of: "the list of settings")
        return .json(["settings": .array(AppSetting.all.map { .object($0.view) })])
    }

    private func settings(of body: RequestFields) throws -> JSONObject {
        let settings = try body.object("settings") ?? [:]
        for (name, value) in settings where !value.isNull { try AppSetting.requireKnown(name) }
        return settings
    }

    private func authorizeForAllApps(_ request: Request, _ act: String) async throws {
        try await tokens.authorizeForAllApps(request.accessToken, to: act)
        try QueryParameters(request.rawQuery).check([], of: "this call")
    }

    private func scope(_ request: Request, _ context: LindenContext, to permission: Permission) async throws -> Scope {
        try await PathAppAuthorizer(apps: apps, tokens: tokens).authorize(request, context, to: permission)
    }

    private func reference(_ context: LindenContext) -> String { context.parameters.get("app") ?? "" }
}
