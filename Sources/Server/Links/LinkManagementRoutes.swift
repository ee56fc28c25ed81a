import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// The links of an app in the management API, authorized by an access token.
///
/// The token and its role are checked before anything is looked up, so that a caller without one learns nothing about existing links.
struct LinkManagementRoutes {
    let apps: AppService
    let directory: AppDirectory
    let links: LinkService
    let clicks: ClickService
    let statistics: LinkStatisticsService
    let tokens: TokenService
    let publicIDs: PublicIDs
    let privacy: AddressPrivacy
    let clock: WallClock
    let options: ServerOptions

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let query = QueryParameters(request.rawQuery)
        let (scope, token) = try await request.authorizedCaller(tokens, apps) {
            try query.check(["app", "cursor", "limit"] + LinkFilter.parameters, of: "links")
            return query.value("app")
        }
        try context.admission?.admit(scope, token: token)
        let limit = try query.number("limit", in: 1...1000) ?? 50
        let page = try await links.list(
            LinkFilter(query, now: clock.now()), scope: scope, before: query.linkID("cursor"), limit: limit)
        return .json([
            "links": .array(page.links.map { .object($0.view(url: links.url(of: $0))) }),
            "next_cursor": JSON(page.next.map { String($0.rawValue) }),
        ])
    }

    func create(_ request: Request, _ context: LindenContext) async throws -> Response {
        let query = QueryParameters(request.rawQuery)
        let (scope, token) = try await request.authorizedCaller(tokens, apps, role: .admin) {
            try query.check(["app"], of: "links")
            return query.value("app")
        }
        try context.admission?.admit(scope, token: token)
        guard let app = try await directory.app(scope: scope) else { throw Failure.notFound("There is no app \(scope.app).") }
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try Self.check(body, members: Self.members + ["alias", "type", "domain"])
        var new = try CreateLinkRequest(body).newLink(publicIDs)
        (new.isAuthenticated, new.source) = (true, .quickLink)
        let link = try await links.create(new, for: app) { context.admission?.charge(bytes: $0) }
        return .json(try await view(of: link), status: .created)
    }

    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        .json(try await view(of: try await link(request, context, for: .analyst)))
    }

    func change(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await link(request, context, for: .admin)
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try Self.check(body, members: Self.members)
        let changes = try UpdateLinkRequest(body).changes(url: links.url(of: link))
        return .json(try await view(of: try await links.update(link.id, with: changes)))
    }

    func delete(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await link(request, context, for: .admin)
        try await links.delete(link.id)
        return Response(status: .noContent)
    }

    func statistics(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await link(request, context, for: .analyst)
        return .json(.object(try await statistics.statistics(of: link.id).view(url: links.url(of: link))))
    }

    func clicks(_ request: Request, _ context: LindenContext) async throws -> Response {
        let query = QueryParameters(request.rawQuery)
        let link = try await link(request, context, for: .analyst, parameters: ["from", "to", "limit"])
        let limit = try query.number("limit", in: 1...1000) ?? 50
        let range = try ExportRange(
            from: query.value("from") ?? min(link.createdAt, clock.now()).iso8601, to: query.value("to"), now: clock.now())
        let found = try await clicks.clicks(of: link.id, in: range, limit: limit)
        return .json([
            "clicks": .array(found.clicks.map { .object($0.view(publicIDs)) }),
            "next_from": found.isWhole ? .null : .string(found.until.iso8601),
        ])
    }

    /// The members of a link that a caller may set.
    private static let members = [
        "channel", "feature", "campaign", "stage", "tags", "data", "duration", "expires_at", "expired_url", "max_clicks",
    ]

    private static func check(_ body: RequestFields, members: [String]) throws {
        guard let unknown = body.members.first(where: { !members.contains($0.key) })?.key else { return }
        throw Failure.invalid("\(unknown) is not a member of a link that can be set. These are: \(members.joined(separator: ", ")).")
    }

    /// Returns the link that a path names by its id. Fails with `notFound` if it is not of an app that the token is valid for.
    private func link(
        _ request: Request, _ context: LindenContext, for role: AccessToken.Role, parameters: [String] = []
    ) async throws -> Link {
        let token = try await tokens.authorize(request.accessToken, role: role)
        try QueryParameters(request.rawQuery).check(parameters, of: "this call")
        let text = context.parameters.get("link_id") ?? ""
        guard let link = try await links.link(id: text), token.app == nil || token.app == link.scope.app else {
            throw Failure.notFound("There is no link \(text).")
        }
        try context.admission?.admit(link.scope, token: token.id)
        return link
    }

    private func view(of link: Link) async throws -> JSON {
        .object(link.detailedView(url: links.url(of: link), app: try await directory.app(scope: link.scope), privacy: privacy))
    }
}

extension LinkFilter {
    fileprivate static let parameters = ["search", "channel", "feature", "campaign", "stage", "tag", "state", "from", "to"]

    fileprivate init(_ query: QueryParameters, now: Timestamp) throws {
        self.init()
        text = query.value("search")
        channel = query.value("channel")
        feature = query.value("feature")
        campaign = query.value("campaign")
        stage = query.value("stage")
        tag = query.value("tag")
        state = try query.value("state").map { try State(named: $0) }
        if query.value("from") != nil || query.value("to") != nil {
            let range = try ExportRange(from: query.value("from"), to: query.value("to"), now: now)
            created = range.from..<range.to
        }
    }
}

extension QueryParameters {
    fileprivate func linkID(_ name: String) throws -> Link.ID? {
        try value(name).map { text in
            guard let number = Int64(text) else { throw Failure.invalid("\(name) must be the next_cursor of a former answer.") }
            return Link.ID(rawValue: number)
        }
    }
}
