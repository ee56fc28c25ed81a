import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import Logging

/// Branch's Link API (https://github.com/BranchMetrics/branch-deep-linking-public-api).
struct LinkRoutes {
    let directory: AppDirectory
    let links: LinkService
    let unroutedLinks: UnroutedLinkMonitor
    let tokens: TokenService
    let publicIDs: PublicIDs
    let options: ServerOptions

    func create(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await context.admittedApp(body, in: directory)
        let create = CreateLinkRequest(body)
        var new = try create.newLink(publicIDs)
        new.isAuthenticated = directory.accepts(body.branchSecret, of: app)
        let link = try await links.create(new, for: app) { context.admission?.charge(bytes: $0) }
        return .json(create.response(url: links.url(of: link), warnings: warnings(link, app)))
    }

    /// `POST /v1/url/bulk/<branch key>`: creates each link independently. An item that fails does not affect the others.
    func createInBulk(_ request: Request, _ context: LindenContext) async throws -> Response {
        let key = context.parameters.get("branch_key")
        _ = try await directory.app(branchKey: key)
        let (bulk, count) = try await request.parsed(upTo: options.maximumBulkBytes) { (try BulkLinkRequest(bytes: $0), $0.count) }
        let secret = request.secretHeader
        let app = try await context.admittedApp(
            branchKey: key, secret: secret, bytes: count, amount: bulk.items.count, in: directory)
        guard !bulk.items.isEmpty else { return .json([], status: .badRequest) }
        let isAuthenticated = directory.accepts(secret, of: app)
        let created = try await links.create(
            try bulk.items.map { try newLink($0, isAuthenticated: isAuthenticated) }, for: app,
            charging: { context.admission?.charge(bytes: $0) })
        var answers: [JSON] = []
        for result in created {
            answers.append(BulkLinkRequest.answer(result.map { (url: links.url(of: $0), warnings: warnings($0, app)) }))
            await Task.yield()
        }
        return .json(.array(answers))
    }

    private func newLink(_ item: Result<CreateLinkRequest, Failure>, isAuthenticated: Bool) throws -> Result<NewLink, Failure> {
        do {
            var new = try item.get().newLink(publicIDs)
            new.isAuthenticated = isAuthenticated
            return .success(new)
        } catch let failure as Failure {
            return .failure(failure)
        }
    }

    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await context.admittedApp(branchKey: request.queryValue("branch_key"), in: directory)
        return answer(try await link(request, of: app), app)
    }

    func update(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await context.appOfSecret(body, in: directory)
        let link = try await link(request, of: app)
        let updated = try await links.update(
            link.id, with: UpdateLinkRequest(body).changes(url: links.url(of: link)))
        return answer(updated, app, warnings: warnings(updated, app))
    }

    /// `DELETE /v1/url`: requires an access token and `app_id`, as documented, or key and secret in the body, which Branch accepts as well.
    func delete(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await linkToDelete(request, context)
        try await links.delete(link.id)
        return .json(["url": .string(links.url(of: link)), "deleted": true])
    }

    private func linkToDelete(_ request: Request, _ context: LindenContext) async throws -> Link {
        let sent = try await request.parsed(upTo: options.maximumBodyBytes) { $0.isEmpty ? nil : try RequestFields(bytes: $0) }
        let body = try (sent ?? RequestFields([:])).withSecret(request.secretHeader)
        if request.accessToken == nil, sent != nil {
            return try await link(request, of: context.appOfSecret(body, in: directory))
        }
        guard let app = try request.app(body) else {
            throw Failure.invalid("app_id must be the id of an app; send it with an Access-Token header.")
        }
        let token = try await tokens.authorize(request.accessToken, to: .changeLinks, app: app)
        try context.admission?.admit(Scope(app: app, mode: .live), token: token.id)
        let url = try linkURL(request)
        do {
            return try await links.link(url: url, in: Scope(app: app, mode: .live))
        } catch let failure as Failure where failure.code == .notFound {
            return try await links.link(url: url, in: Scope(app: app, mode: .test))
        }
    }

    private func link(_ request: Request, of app: AppContext) async throws -> Link {
        try await links.link(url: try linkURL(request), in: app.scope)
    }

    private func linkURL(_ request: Request) throws -> String {
        guard let url = request.queryValue("url") else { throw Failure.invalid("url is missing: it must be a link of this app.") }
        return url
    }

    /// Returns the warnings about a created or changed link, and counts it for the log if there are any.
    private func warnings(_ link: Link, _ app: AppContext) -> [String] {
        let warnings = app.routeWarnings(for: link.data)
        if !warnings.isEmpty { unroutedLinks.record(app.app.id) }
        return warnings
    }

    private func answer(_ link: Link, _ app: AppContext, warnings: [String] = []) -> Response {
        .json(LinkResponse(link, url: links.url(of: link), app: app, warnings: warnings).json)
    }
}
