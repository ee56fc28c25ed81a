import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The access tokens in the management API, authorized by one of them.
///
/// A token of one app lists, creates, rotates and revokes tokens of that app only; others are answered like none.
struct TokenManagementRoutes {
    let apps: AppService
    let tokens: TokenService
    let options: ServerOptions

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let caller = try await authorize(request, context, to: .readSetUp, parameters: ["cursor", "limit"])
        let query = QueryParameters(request.rawQuery)
        let page = try await tokens.list(
            of: caller.app, after: try query.cursor().map(AccessToken.ID.init(rawValue:)),
            limit: try query.number("limit", in: 1...1000) ?? 50)
        return .json([
            "tokens": .array(page.tokens.map { .object($0.view) }), "next_cursor": JSON(page.next.map { String($0.rawValue) }),
        ])
    }

    /// Creates a token, and shows its secret for the only time. The new token is of the calling token's app unless that is of all apps.
    func create(_ request: Request, _ context: LindenContext) async throws -> Response {
        let caller = try await authorize(request, context, to: .administer)
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["name", "role", "app", "expires"], of: "a token")
        guard let name = try body.strictText("name") else {
            throw Failure.invalid("name is missing: what the token is for, such as reports.")
        }
        guard let role: Role = try body.choice("role") else {
            throw Failure.invalid("role is missing: one of \(Role.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        var app = caller.app
        if let reference = try body.strictText("app") {
            app = try await apps.scope(of: reference, for: caller).app
        }
        let (token, secret) = try await tokens.create(
            name: name, role: role, app: app,
            expires: try body.strictText("expires").map { try TokenExpiry($0) } ?? .never)
        return .json(.object(token.view.merging(["token": .string(secret)])))
    }

    /// Gives a token a new secret, and shows it for the only time. By default the former one is accepted for seven days.
    func rotate(_ request: Request, _ context: LindenContext) async throws -> Response {
        let found = try await named(request, context)
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["overlap", "expires"], of: "a rotation")
        let (token, secret) = try await tokens.rotate(
            found.id, overlap: try RotationOverlap(body.strictText("overlap") ?? RotationOverlap.standardOfSecrets),
            expires: try body.strictText("expires").map { try TokenExpiry($0) })
        return .json(.object(token.view.merging(["token": .string(secret)])))
    }

    func revoke(_ request: Request, _ context: LindenContext) async throws -> Response {
        let found = try await named(request, context)
        try await tokens.revoke(found.id)
        return .json(["token_id": .string(String(found.id.rawValue)), "revoked": true])
    }

    /// Returns the token that the path names, if the calling token may change it. Fails with `notFound`.
    private func named(_ request: Request, _ context: LindenContext) async throws -> AccessToken {
        let caller = try await authorize(request, context, to: .administer)
        let id = context.parameters.get("token_id") ?? ""
        guard let number = Int64(id), let found = try await tokens.token(AccessToken.ID(rawValue: number)), found.revokedAt == nil,
            caller.mayAccess(found)
        else { throw Failure.notFound("There is no valid token \(id).") }
        return found
    }

    private func authorize(
        _ request: Request, _ context: LindenContext, to permission: Permission, parameters: [String] = []
    ) async throws -> AccessToken {
        let caller = try await tokens.authorize(request.accessToken, to: permission)
        try QueryParameters(request.rawQuery).check(parameters, of: "this call")
        if let app = caller.app { try context.admission?.admit(Scope(app: app, mode: .live), token: caller.id) }
        return caller
    }
}

extension AccessToken {
    /// Whether another token is one of those that this one may see and change.
    fileprivate func mayAccess(_ other: AccessToken) -> Bool { app == nil || app == other.app }
}
