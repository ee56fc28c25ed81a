import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// Authorizes a call of the management API whose path names its app in `{app}`: a live or test key, or the app's id for its live side.
struct PathAppAuthorizer {
    let apps: AppService
    let tokens: TokenService

    /// Returns the app and mode that the path names, and counts the call towards their limits. Fails with `unauthorized` or `forbidden`
    /// unless the token has the permission, and with `notFound` for an app that it is not valid for, as for none. The token is checked before
    /// anything else. The call has no parameters in its query.
    func authorize(_ request: Request, _ context: LindenContext, to permission: Permission) async throws -> Scope {
        let token = try await tokens.authorize(request.accessToken, to: permission)
        try QueryParameters(request.rawQuery).check([], of: "this call")
        let reference = context.parameters.get("app") ?? ""
        let scope = try await apps.scope(of: reference)
        guard token.app == nil || token.app == scope.app else {
            throw Failure.noSuchApp(reference)
        }
        try context.admission?.admit(scope, token: token.id)
        return scope
    }
}
