import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting

/// The links of an app in the management API, authorized by an access token.
///
/// The token and its permission are checked before anything is looked up, so that a caller without one learns nothing about existing links.
struct LinkManagementRoutes {
    let authorizer: AppAuthorizer
    let directory: AppDirectory
    let links: LinkService
    let linkLists: LinkListService
    let clickLists: ClickListService
    let statistics: LinkStatisticsService
    let templates: LinkTemplateService
    let codes: QRCodeRoutes
    let unroutedLinks: UnroutedLinkMonitor
    let publicIDs: PublicIDs
    let privacy: AddressPrivacy
    let clock: WallClock
    let options: ServerOptions

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readLinks, parameters: ["app", "sort", "cursor", "limit"] + LinkFilter.parameters,
            of: "the list of links")
        let page = try await linkLists.list(
            try LinkFilter(query, now: clock.now()), of: scope, order: try query.choice("sort") ?? .newest,
            after: try query.cursor().map(Link.ID.init(rawValue:)), limit: try query.number("limit", in: 1...1000) ?? 50)
        return .json([
            "links": .array(page.links.map { .object($0.view(url: links.url(of: $0))) }),
            "next_cursor": JSON(page.next.map { String($0.rawValue) }),
        ])
    }

    /// Lists the folders that have links.
    func listFolders(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readLinks, parameters: ["app", "cursor", "limit"], of: "the list of folders")
        let page = try await linkLists.folders(
            of: scope, after: query.value("cursor") ?? "", limit: try query.number("limit", in: 1...1000) ?? 50)
        return .json(["folders": JSON(page.names), "next_cursor": JSON(page.next)])
    }

    func create(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, _, token) = try await authorizer.authorize(request, context, to: .createLinks, of: "the creation of a link")
        guard let app = try await directory.app(scope: scope) else { throw Failure.notFound("There is no app \(scope.app).") }
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try body.check(Self.createdMembers, of: "a link")
        var new = try CreateLinkRequest(body, isManaged: true).newLink(publicIDs)
        new.isAuthenticated = true
        new.requestKey = try requestKey(request, of: token)
        if let name = try body.strictText("template") {
            // The response has the data that the template gave.
            guard token.may(.readLinks) else { throw Failure.needs(.readLinks, for: "A link by a template", not: token.role) }
            let template = try await templates.template(name, in: scope)
            context.admission?.charge(bytes: template.addedBytes(to: new))
            template.fill(&new)
        }
        var link = try await create(new, for: app, telling: token.may(.readLinks), context.admission)
        if !token.may(.readLinks) { link = link.asCreated(by: new) }
        return .json(view(of: link, app, warnings: warnings(link, app, about: link.data)))
    }

    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await link(request, context, to: .readLinks)
        return .json(view(of: link, try await directory.app(scope: link.scope)))
    }

    func change(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await link(request, context, to: .changeLinks)
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try body.check(Self.changedMembers, of: "a link")
        let changes = try UpdateLinkRequest(body, isManaged: true).changes(url: links.url(of: link))
        let changed = try await links.update(link.id, with: changes)
        let app = try await directory.app(scope: changed.scope)
        return .json(view(of: changed, app, warnings: app.map { warnings(changed, $0, about: changes.data) } ?? []))
    }

    func delete(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await link(request, context, to: .changeLinks)
        try await links.delete(link.id)
        return .json(["url": .string(links.url(of: link)), "deleted": true])
    }

    func readStatistics(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await link(request, context, to: .readTotals)
        let found = try await statistics.statistics(of: link.id, in: link.scope)
        return .json(.object(found.view(url: links.url(of: link))))
    }

    func listClicks(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await link(request, context, to: .readSessions, parameters: ClickQuery.parameters)
        let query = try ClickQuery(QueryParameters(request.rawQuery), now: clock.now())
        let page = try await clickLists.list(
            of: link.scope, link: link.id, by: query.visitor, in: query.range, after: query.cursor, limit: query.limit)
        return .json(page.view { $0.view(publicIDs) })
    }

    func drawCode(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await link(request, context, to: .readLinks, parameters: QRCodeSettings.names)
        guard link.deletedAt == nil else { throw Failure.noSuchLink }
        let renderer = try QRCodeRenderer(QRCodeSettings(try RequestFields(query: request.rawQuery ?? "")))
        return try await codes.response(renderer, in: link.scope, for: .authorized(link.scope.app)) { links.url(of: link) }
    }

    private static let members = [
        "channel", "feature", "campaign", "stage", "tags", "folder", "data", "duration", "expires_at", "expired_url", "max_clicks",
    ]
    /// The members of a link that a call may change.
    static let changedMembers = members + ["archived", "add_tags", "remove_tags"]
    /// The members of a link that can be set when it is created.
    private static let createdMembers = ["alias", "type", "domain", "template"] + members

    /// - Parameter mayTell: whether the caller may read links, and so learn in what the link of a taken alias differs.
    private func create(_ new: NewLink, for app: AppContext, telling mayTell: Bool, _ admission: Admission?) async throws -> Link {
        do {
            return try await links.create(new, for: app) { admission?.charge(bytes: $0) }
        } catch let failure as Failure where !mayTell {
            throw failure.withoutDetails
        }
    }

    /// A key is its token's: another token may not be shown what was created with it.
    private func requestKey(_ request: Request, of token: AccessToken) throws -> RequestKey? {
        try request.header(.idempotencyKey).map { key in
            guard (1...255).contains(key.utf8.count) else { throw Failure.invalid("Idempotency-Key must have 1 to 255 bytes.") }
            return RequestKey(text: "api/v1/links \(token.id) \(key)")
        }
    }

    /// Returns the link that a path names by its id. Fails with `notFound` for a link of an app that the token is not valid for.
    private func link(
        _ request: Request, _ context: LindenContext, to permission: Permission, parameters: [String] = []
    ) async throws -> Link {
        let token = try await authorizer.tokens.authorize(request.accessToken, to: permission)
        try QueryParameters(request.rawQuery).check(parameters, of: "this call")
        let text = context.parameters.get("link_id") ?? ""
        guard let id = Int64(text), let link = try await links.link(Link.ID(rawValue: id)),
            token.app == nil || token.app == link.scope.app
        else { throw Failure.notFound("There is no link \(text).") }
        try context.admission?.admit(link.scope, token: token.id)
        return link
    }

    /// Returns the warnings about a created or changed link, and counts it for the log if its path matches no route.
    ///
    /// - Parameter data: the data that was sent.
    private func warnings(_ link: Link, _ app: AppContext, about data: JSONObject) -> [String] {
        let warnings = app.routeWarnings(for: link.data)
        if !warnings.isEmpty { unroutedLinks.record(app.app.id) }
        return warnings + app.dataWarnings(for: data)
    }

    private func view(of link: Link, _ app: AppContext?, warnings: [String] = []) -> JSON {
        .object(link.detailedView(url: links.url(of: link), app: app, privacy: privacy, warnings: warnings))
    }
}

extension Link {
    /// The link without what was changed since a call created it, for a repetition of the call by a caller who may not read links.
    fileprivate func asCreated(by new: NewLink) -> Link {
        var link = self
        (link.data, link.labels, link.folder, link.isArchived) = (new.data, new.labels, new.folder, new.isArchived)
        (link.duration, link.limits) = (new.duration, new.limits)
        return link
    }
}
