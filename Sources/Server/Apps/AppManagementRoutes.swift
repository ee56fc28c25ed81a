import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The apps of the installation in the management API, authorized by an access token.
struct AppManagementRoutes {
    let apps: AppService
    let tokens: TokenService

    /// All apps, or the one that the token is valid for.
    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let token = try await tokens.authorize(request.accessToken, role: .analyst)
        try QueryParameters(request.rawQuery).check([], of: "the list of apps")
        let found = try await apps.list().filter { token.app == nil || token.app == $0.app.id }
        for app in found.prefix(1) { try context.admission?.admit(Scope(app: app.app.id, mode: .live), token: token.id) }
        return .json(["apps": .array(found.map { .object($0.view) })])
    }
}
