import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// The visits of an app's links in the management API, authorized by an access token.
struct ClickManagementRoutes {
    let authorizer: AppAuthorizer
    let clickLists: ClickListService
    let publicIDs: PublicIDs
    let clock: WallClock

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, parameters, _) = try await authorizer.authorize(
            request, context, to: .readSessions, parameters: ["app"] + ClickQuery.parameters, of: "the list of clicks")
        let query = try ClickQuery(parameters, now: clock.now())
        let page = try await clickLists.list(of: scope, by: query.visitor, in: query.range, after: query.cursor, limit: query.limit)
        return .json(page.view { $0.listView(publicIDs) })
    }
}

/// The visitors, the time and the page of a list of clicks.
struct ClickQuery {
    static let parameters = ["visitor", "from", "to", "cursor", "limit"]

    /// Nil for people and robots.
    let visitor: ClickVisitor?
    /// Nil for all times.
    let range: ExportRange?
    let cursor: Int64?
    let limit: Int

    /// Fails with `invalid`, naming the parameter.
    init(_ query: QueryParameters, now: Timestamp) throws {
        visitor = try query.choice("visitor")
        let (from, to) = (query.value("from"), query.value("to"))
        range = from == nil && to == nil ? nil : try ExportRange(from: from, to: to, now: now)
        cursor = try query.cursor()
        limit = try query.number("limit", in: 1...1000) ?? 50
    }
}

extension ClickPage {
    /// - `clicks`: the visits.
    /// - `next_cursor`: the cursor of the next page, a string; null for the last page.
    func view(_ view: (Click) -> JSONObject) -> JSON {
        ["clicks": .array(clicks.map { .object(view($0)) }), "next_cursor": JSON(next.map { String($0) })]
    }
}
