import Hummingbird
import Linden

/// The explanations of sessions' attributions.
struct ExplanationRoutes {
    let services: Services

    func explanation(_ request: Request, _ context: LindenContext) async throws -> Response {
        // The token is checked before the session is looked up, so that a caller without one learns nothing about existing sessions.
        let token = try await services.tokens.authorize(request.accessToken, role: .analyst)
        let session = try await services.explanations.session(context.parameters.get("session_id") ?? "")
        guard token.app == nil || token.app == session.scope.app else {
            throw Failure.notFound("There is no session \(context.parameters.get("session_id") ?? "").")
        }
        return .json(.object(try await services.explanations.explanation(of: session)))
    }
}
