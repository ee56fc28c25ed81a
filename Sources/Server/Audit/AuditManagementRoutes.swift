import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The audit log in the management API, authorized by an access token of the role admin.
///
/// A token of one app lists the changes of that app only, and none of rows that belong to no app.
struct AuditManagementRoutes {
    let audit: AuditService
    let apps: AppService
    let tokens: TokenService
    let publicIDs: PublicIDs
    let clock: WallClock

    private static let parameters = ["app", "actor", "actor_id", "noun", "subject", "from", "to", "cursor", "limit"]

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let token = try await tokens.authorize(request.accessToken, to: .administer)
        let query = QueryParameters(request.rawQuery)
        try query.check(Self.parameters, of: "the audit log")
        var filter = try AuditFilter(query, now: clock.now())
        filter.app = token.app
        if let reference = query.value("app") {
            filter.app = try await apps.scope(of: reference, for: token).app
        }
        if let app = filter.app { try context.admission?.admit(Scope(app: app, mode: .live), token: token.id) }
        let page = try await audit.list(
            filter, before: try query.cursor(), limit: try query.number("limit", in: 1...1000) ?? 50)
        return .json([
            "entries": .array(page.entries.map { .object($0.view(publicIDs)) }), "next_cursor": JSON(page.next.map { String($0) }),
        ])
    }
}

extension AuditFilter {
    /// Fails with `invalid` for a malformed id or time, or an unknown kind of actor.
    fileprivate init(_ query: QueryParameters, now: Timestamp) throws {
        self.init()
        actorKind = try query.choice("actor")
        actorID = try query.number("actor_id").map { Int64($0) }
        noun = query.value("noun")
        subject = query.value("subject")
        times = try ExportRange.times(from: query.value("from"), to: query.value("to"), now: now)
    }
}
