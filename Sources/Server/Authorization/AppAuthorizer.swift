import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// Authorizes a call of the management API that names its app in the parameter `app`: a live or test key, or the app's id for its live
/// side.
struct AppAuthorizer {
    let apps: AppService
    let tokens: TokenService

    /// Returns the app and mode that a call names, and the call's access token, and counts the call towards their limits. Fails with
    /// `unauthorized` or `forbidden` unless the token has the permission and is valid for the app, and with `invalid` for a parameter that the
    /// call does not have. The token is checked before anything else, so that a caller without one learns nothing about existing apps.
    ///
    /// - Parameters:
    ///   - parameters: all parameters of the call.
    ///   - repeatable: the parameters that may be given more than once.
    ///   - call: the call's name, for messages.
    func authorize(
        _ request: Request, _ context: LindenContext, to permission: Permission, parameters: [String] = ["app"],
        repeatable: Set<String> = [], of call: String
    ) async throws -> (scope: Scope, query: QueryParameters, token: AccessToken) {
        let query = QueryParameters(request.rawQuery)
        let (scope, token) = try await request.authorizedToken(tokens, apps, to: permission) {
            try query.check(parameters, repeatable: repeatable, of: call)
            return query.value("app")
        }
        try context.admission?.admit(scope, token: token.id)
        return (scope, query, token)
    }
}

extension Request {
    /// Returns the app and mode that one of Linden's own calls names (`app`: a key, or the app's id for live mode), if the call's access
    /// token has the permission. The token is checked first, so that a caller without one learns nothing about existing apps.
    func authorizedScope(
        _ tokens: TokenService, _ apps: AppService, to permission: Permission, app: () throws -> String?
    ) async throws -> Scope {
        try await authorizedToken(tokens, apps, to: permission, app: app).scope
    }

    /// Variant of ``authorizedScope(_:_:to:app:)`` which also returns the token.
    func authorizedToken(
        _ tokens: TokenService, _ apps: AppService, to permission: Permission, app: () throws -> String?
    ) async throws -> (scope: Scope, token: AccessToken) {
        let token = try await tokens.authorize(accessToken, to: permission)
        guard let app = try app() else {
            throw Failure.invalid("app is missing: a live or test key, or the app's id for its live side.")
        }
        let scope = try await apps.scope(of: app, for: token)
        CallOrigin.current?.belongs(to: scope.app, isAuthorized: true)
        return (scope, token)
    }
}

extension AppService {
    /// Returns the app and mode that a call names (a key, or the app's id for live mode), if its access token is valid for the app. Fails with
    /// `forbidden` otherwise, and with `notFound` if there is no such app; to the token of one app that is `forbidden`, too, so that it learns
    /// nothing about others.
    func scope(of reference: String, for token: AccessToken) async throws -> Scope {
        let otherApp = Failure(.forbidden, "The token is not valid for this app.")
        do {
            let scope = try await scope(of: reference)
            guard token.app == nil || token.app == scope.app else { throw otherApp }
            return scope
        } catch let failure as Failure where token.app != nil && failure.code != .unavailable {
            throw otherApp
        }
    }
}
