import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenServices

/// Branch's app configuration API.
struct AppRoutes {
    let apps: AppService
    let directory: AppDirectory
    let baseURL: BaseURL
    let options: ServerOptions

    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await context.admittedApp(
            branchKey: context.parameters.get("branch_key"), neededSecret: request.branchSecret, in: directory)
        return answer(app.app, app)
    }

    func update(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await context.admittedApp(
            branchKey: context.parameters.get("branch_key"), neededSecret: body.branchSecret, bytes: body.byteCount, in: directory)
        let update = UpdateAppRequest(body)
        return answer(try await apps.update(app.scope, name: update.name(), settings: update.settings()), app)
    }

    func linkSettings(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await context.admittedApp(branchKey: context.parameters.get("branch_key"), in: directory)
        return .json(AppLinkSettingsResponse(app, baseURL: baseURL).json)
    }

    /// The iOS and Android SDKs ask for a list of URLs to ignore that is newer than their own. There is none.
    func skipList(_ request: Request, _ context: LindenContext) async throws -> Response {
        throw Failure.notFound("There is no list newer than the SDK's.")
    }

    private func answer(_ app: App, _ context: AppContext) -> Response {
        .json(AppConfigurationResponse(app, context, baseURL: baseURL).json)
    }
}
