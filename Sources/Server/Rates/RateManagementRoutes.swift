import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The exchange rates of the installation, which all apps share, in the management API, authorized by an access token.
struct RateManagementRoutes {
    let rates: RateService
    let tokens: TokenService

    /// Today's rates.
    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let token = try await tokens.authorize(request.accessToken, role: .analyst)
        try QueryParameters(request.rawQuery).check([], of: "the list of rates")
        if let app = token.app { try context.admission?.admit(Scope(app: app, mode: .live), token: token.id) }
        return .json(["rates": .array(try await rates.list().map { .object($0.view) })])
    }
}
