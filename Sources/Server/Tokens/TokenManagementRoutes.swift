import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The access tokens in the management API, authorized by one of them.
///
/// A token of one app lists, creates and revokes tokens of that app only; others are answered like none.
struct TokenManagementRoutes {
    let apps: AppService
    let tokens: TokenService
    let options: ServerOptions

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let caller = try await authorize(request, context, role: .analyst)
        let found = try await tokens.list().filter { caller.mayAccess($0) }
        return .json(["tokens": .array(found.map { .object($0.view) })])
    }

    /// Creates a token, and shows its secret for the only time. The new token is of the calling token's app unless that is of all apps.
    func create(_ request: Request, _ context: LindenContext) async throws -> Response {
        let caller = try await authorize(request, context, role: .admin)
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["name", "role", "app"], of: "a token")
        guard let name = try body.strictText("name") else {
            throw Failure.invalid("name is missing: what the token is for, such as reports.")
        }
        guard let role: AccessToken.Role = try body.choice("role") else {
            throw Failure.invalid("role is missing: analyst, which reads, or admin, which also changes.")
        }
        var app = caller.app
        if let reference = try body.strictText("app") {
            app = try await apps.context(reference).app.id
            guard caller.app == nil || caller.app == app else { throw Failure(.forbidden, "The token is not valid for this app.") }
        }
        let (token, secret) = try await tokens.create(name: name, role: role, app: app)
        return .json(.object(token.view.merging(["token": .string(secret)])))
    }

    func revoke(_ request: Request, _ context: LindenContext) async throws -> Response {
        let caller = try await authorize(request, context, role: .admin)
        let id = context.parameters.get("token_id") ?? ""
        let found = try await tokens.list().first { String($0.id.rawValue) == id && $0.revokedAt == nil && caller.mayAccess($0) }
        guard let found else { throw Failure.notFound("There is no valid token \(id).") }
        try await tokens.revoke(found.id)
        return .json(["token_id": .string(id), "revoked": true])
    }

    private func authorize(_ request: Request, _ context: LindenContext, role: AccessToken.Role) async throws -> AccessToken {
        let caller = try await tokens.authorize(request.accessToken, role: role)
        try QueryParameters(request.rawQuery).check([], of: "this call")
        if let app = caller.app { try context.admission?.admit(Scope(app: app, mode: .live), token: caller.id) }
        return caller
    }
}

extension AccessToken {
    /// Whether another token is one of those that this one may see and revoke.
    fileprivate func mayAccess(_ other: AccessToken) -> Bool { app == nil || app == other.app }
}
