import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// The sessions of an app, and the explanations of their attributions, in the management API, authorized by an access token.
///
/// The token is checked before a session is looked up, so that a caller without one learns nothing about existing sessions.
struct SessionManagementRoutes {
    let authorizer: AppAuthorizer
    let explanations: ExplanationService
    let publicIDs: PublicIDs
    let baseURL: BaseURL
    let clock: WallClock

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readSessions, parameters: ["app", "cursor", "limit"] + SessionFilter.parameters,
            of: "the list of sessions")
        let limit = try query.number("limit", in: 1...1000) ?? 50
        let last = try query.value("cursor").map { text in
            guard let id: Session.ID = publicIDs.id(named: text) else {
                throw Failure.invalid("cursor must be the next_cursor of the page before.")
            }
            return id
        }
        let filter = try SessionFilter(query, now: clock.now())
        let page = try await explanations.list(filter, of: scope, after: last, limit: limit)
        return .json([
            "sessions": .array(page.sessions.map { .object($0.listView(publicIDs)) }),
            "next_cursor": JSON(page.next.map { publicIDs.reference(to: $0) }),
        ])
    }

    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        .json(.object(try await session(request, context).detailedView(publicIDs)))
    }

    func explain(_ request: Request, _ context: LindenContext) async throws -> Response {
        let session = try await session(request, context)
        return .json(.object(try await explanations.explanation(of: session).view(publicIDs, baseURL)))
    }

    /// Returns the session that a path names. Fails with `notFound` for a session of an app that the token is not valid for.
    private func session(_ request: Request, _ context: LindenContext) async throws -> Session {
        let token = try await authorizer.tokens.authorize(request.accessToken, to: .readSessions)
        let text = context.parameters.get("session_id") ?? ""
        let session = try await explanations.session(text)
        guard token.app == nil || token.app == session.scope.app else {
            throw Failure.notFound("There is no session \(text).")
        }
        try context.admission?.admit(session.scope, token: token.id)
        return session
    }
}
