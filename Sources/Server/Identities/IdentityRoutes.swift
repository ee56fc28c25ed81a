import BranchWire
import Hummingbird
import Linden

/// Logging in and out, for SDKs that leave it to the server.
struct IdentityRoutes {
    let services: Services
    let options: ServerOptions

    func profile(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await services.directory.app(branchKey: body.branchKey)
        guard let name = body.text("identity") else { throw Failure.invalid("identity is missing.") }
        let user =
            body.flag("tracking_disabled")
            ? try await services.identities.untracked(as: name, in: app.scope)
            : try await services.identities.identify(body.tokens(services.publicIDs), as: name, in: app.scope)
        return answer(user, body, app)
    }

    func logout(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await services.directory.app(branchKey: body.branchKey)
        let user =
            body.flag("tracking_disabled")
            ? try await services.identities.untracked(as: nil, in: app.scope)
            : try await services.identities.logOut(
                body.tokens(services.publicIDs), in: app.scope, requestKey: body.requestKey(for: "v1/logout"))
        return answer(user, body, app)
    }

    private func answer(_ user: IdentifiedUser, _ body: RequestFields, _ app: AppContext) -> Response {
        let response = IdentityResponse(
            user, app: app, baseURL: services.baseURL, identityParameter: body.identityParameter, services.publicIDs)
        return .json(response.json)
    }
}
