import BranchWire
import Hummingbird
import Linden

/// Branch's app configuration API.
struct AppRoutes {
    let services: Services
    let options: ServerOptions

    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await context.app(
            branchKey: context.parameters.get("branch_key"), neededSecret: request.branchSecret, of: services)
        return answer(app.app, app)
    }

    func update(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await context.app(
            branchKey: context.parameters.get("branch_key"), neededSecret: body.branchSecret, bytes: body.byteCount, of: services)
        let update = UpdateAppRequest(body)
        return answer(try await services.apps.update(app.scope, name: update.name(), settings: update.settings), app)
    }

    func linkSettings(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await context.app(branchKey: context.parameters.get("branch_key"), of: services)
        return .json(AppLinkSettingsResponse(app, baseURL: services.baseURL).json)
    }

    /// The iOS and Android SDKs ask for a list of URLs to ignore that is newer than their own. There is none.
    func skipList(_ request: Request, _ context: LindenContext) async throws -> Response {
        throw Failure.notFound("There is no list newer than the SDK's.")
    }

    private func answer(_ app: App, _ context: AppContext) -> Response {
        .json(AppConfigurationResponse(app, context, baseURL: services.baseURL).json)
    }
}
