import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The users of the dashboard in the management API, authorized by an access token of all apps with the role admin: who creates users may
/// do whatever they may.
struct UserManagementRoutes {
    let users: DashboardUserService
    let apps: AppService
    let tokens: TokenService
    let baseURL: BaseURL
    let options: ServerOptions

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await authorize(request)
        return .json(["users": .array(try await users.list().map { .object($0.view) })])
    }

    /// Creates a user, and shows the address for setting a password for the only time.
    func create(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await authorize(request)
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["name", "role", "app"], of: "a user")
        guard let name = try body.strictText("name") else {
            throw Failure.invalid("name is missing: the name to sign in with, such as an e-mail address.")
        }
        guard let role: DashboardUser.Role = try body.choice("role") else {
            throw Failure.invalid("role is missing: admin, editor, analyst or support.")
        }
        var app: App.ID?
        if let reference = try body.strictText("app") { app = try await apps.scope(of: reference).app }
        let (user, secret) = try await users.create(name: name, role: role, app: app)
        return .json(.object(user.view(settingUpWith: secret, on: try options.dashboard.baseURL(baseURL))))
    }

    /// Disables a user, which ends all sessions, or enables it again.
    func change(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await authorize(request)
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["disabled"], of: "a user")
        guard let isDisabled = try body.strictFlag("disabled") else { throw Failure.invalid("disabled is missing: true or false.") }
        let user = try userID(context)
        return .json(.object(try await isDisabled ? users.disable(user).view : users.enable(user).view))
    }

    /// Removes a user's password and ends all sessions, and shows the address for setting a new one for the only time.
    func reset(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await authorize(request)
        try await request.fields(upTo: options.maximumSmallBodyBytes).check([], of: "a reset")
        let (user, secret) = try await users.reset(try userID(context))
        return .json(.object(user.view(settingUpWith: secret, on: try options.dashboard.baseURL(baseURL))))
    }

    private func userID(_ context: LindenContext) throws -> DashboardUser.ID {
        let id = context.parameters.get("user_id") ?? ""
        guard let number = Int64(id) else { throw Failure.notFound("There is no user with the id \(id).") }
        return DashboardUser.ID(rawValue: number)
    }

    private func authorize(_ request: Request) async throws {
        try await tokens.authorizeForAllApps(request.accessToken, to: "see or change the users of the dashboard")
        try QueryParameters(request.rawQuery).check([], of: "this call")
    }
}
