import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices
import LinkRouting

/// The users of an app in the management API, authorized by an access token.
struct IdentityManagementRoutes {
    let authorizer: AppAuthorizer
    let identities: IdentityDataService
    let publicIDs: PublicIDs

    /// A user's devices, first and last session, and totals.
    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await authorizer.authorize(request, context, to: .readSessions, of: "this call").scope
        let reference = PercentCoding.decode(context.parameters.get("identity") ?? "")
        let identity = try await identities.identity(reference, in: scope)
        return .json(.object(try await identities.summary(of: identity).view(publicIDs)))
    }
}
