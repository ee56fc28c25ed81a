import Hummingbird
import Linden

/// Why sessions were given to their links.
struct ExplanationRoutes {
    let services: Services

    func explanation(_ request: Request, _ context: LindenContext) async throws -> Response {
        // Who may not read it learns nothing of what there is.
        let token = try await services.tokens.authorize(request.accessToken, role: .analyst)
        let session = try await services.explanations.session(context.parameters.get("session_id") ?? "")
        guard token.app == nil || token.app == session.scope.app else {
            throw Failure.notFound("There is no session \(context.parameters.get("session_id") ?? "").")
        }
        return .json(.object(try await services.explanations.explanation(of: session)))
    }
}
