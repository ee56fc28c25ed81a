import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices
import LinkRouting

/// The users of an app in the management API, authorized by an access token.
struct IdentityManagementRoutes {
    let apps: AppService
    let identities: IdentityDataService
    let tokens: TokenService
    let publicIDs: PublicIDs

    /// A user's devices, first and last session, and totals.
    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        let query = QueryParameters(request.rawQuery)
        let (scope, token) = try await request.authorizedCaller(tokens, apps) {
            try query.check(["app"], of: "this call")
            return query.value("app")
        }
        try context.admission?.admit(scope, token: token)
        let reference = PercentCoding.decode(context.parameters.get("identity") ?? "")
        let identity = try await identities.identity(reference, in: scope)
        return .json(.object(try await identities.summary(of: identity).view(publicIDs)))
    }
}
