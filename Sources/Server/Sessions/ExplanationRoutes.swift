import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// The explanations of sessions' attributions.
struct ExplanationRoutes {
    let explanations: ExplanationService
    let tokens: TokenService
    let publicIDs: PublicIDs
    let baseURL: BaseURL

    func explanation(_ request: Request, _ context: LindenContext) async throws -> Response {
        // The token is checked before the session is looked up, so that a caller without one learns nothing about existing sessions.
        let token = try await tokens.authorize(request.accessToken, role: .analyst)
        let session = try await explanations.session(context.parameters.get("session_id") ?? "")
        guard token.app == nil || token.app == session.scope.app else {
            throw Failure.notFound("There is no session \(context.parameters.get("session_id") ?? "").")
        }
        return .json(.object(try await explanations.explanation(of: session).view(publicIDs, baseURL)))
    }
}
