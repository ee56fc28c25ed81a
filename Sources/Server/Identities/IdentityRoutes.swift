import BranchWire
import Hummingbird
import Linden
import LindenKernel

/// Login and logout of identities, for SDKs that leave them to the server.
struct IdentityRoutes {
    let directory: AppDirectory
    let identities: IdentityService
    let publicIDs: PublicIDs
    let baseURL: BaseURL
    let options: ServerOptions

    func profile(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let app = try await context.admittedApp(body, in: directory)
        guard let name = body.text("identity") else { throw Failure.invalid("identity is missing.") }
        let change = UserChangeRequest(body, call: "v1/profile").change(
            publicIDs, from: context.client)
        return body.isTrackingDisabled
            ? answer(try await identities.untracked(as: name, in: app.scope), body, app)
            : answer(try await identities.identify(change, as: name, in: app.scope), body, app)
    }

    func logout(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let app = try await context.admittedApp(body, in: directory)
        let change = UserChangeRequest(body, call: "v1/logout").change(
            publicIDs, from: context.client)
        return body.isTrackingDisabled
            ? answer(try await identities.untracked(as: nil, in: app.scope), body, app)
            : answer(try await identities.logOut(change, in: app.scope), body, app)
    }

    private func answer(_ user: IdentifiedUser, _ body: RequestFields, _ app: AppContext) -> Response {
        .json(IdentityResponse(user, to: body, app: app, baseURL: baseURL, publicIDs).json)
    }
}
