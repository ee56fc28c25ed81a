import BranchWire
import Hummingbird
import Linden

/// Branch's Link API (https://github.com/BranchMetrics/branch-deep-linking-public-api).
struct LinkRoutes {
    let services: Services
    let options: ServerOptions

    func create(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await services.directory.app(branchKey: body.branchKey)
        let create = CreateLinkRequest(body)
        let link = try await services.links.mint(create.newLink(services.publicIDs), for: app)
        return .json(create.response(url: services.links.url(of: link)))
    }

    /// Each item is a link of its own: one that fails does not keep the others from being made.
    func createInBulk(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await services.directory.app(branchKey: context.parameters.get("branch_key"))
        let bulk = try BulkLinkRequest(bytes: try await request.bytes(upTo: options.maximumBulkBytes))
        guard !bulk.items.isEmpty else { return .json([], status: .badRequest) }
        let links = try await services.links.mint(try bulk.items.map(newLink), for: app)
        return .json(.array(links.map { BulkLinkRequest.answer($0.map(services.links.url)) }))
    }

    private func newLink(_ item: Result<CreateLinkRequest, Failure>) throws -> Result<NewLink, Failure> {
        do {
            return .success(try item.get().newLink(services.publicIDs))
        } catch let failure as Failure {
            return .failure(failure)
        }
    }

    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await services.directory.app(branchKey: request.queryValue("branch_key"))
        return answer(try await link(request, of: app))
    }

    func update(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await services.directory.app(branchKey: body.branchKey, secret: body.branchSecret)
        let link = try await link(request, of: app)
        return answer(
            try await services.links.update(link.id, with: UpdateLinkRequest(body).changes(url: services.links.url(of: link))))
    }

    /// With an access token and `app_id`, as documented, or with key and secret in the body, as it also works.
    func delete(_ request: Request, _ context: LindenContext) async throws -> Response {
        let link = try await linkToDelete(request)
        try await services.links.delete(link.id)
        return .json(["url": .string(services.links.url(of: link)), "deleted": true])
    }

    private func linkToDelete(_ request: Request) async throws -> Link {
        let bytes = try await request.bytes(upTo: options.maximumBodyBytes)
        if request.accessToken == nil, !bytes.isEmpty {
            let body = try RequestFields(bytes: bytes)
            return try await link(request, of: services.directory.app(branchKey: body.branchKey, secret: body.branchSecret))
        }
        guard let app = request.queryValue("app_id").flatMap({ Int64($0) }).map(App.ID.init(rawValue:)) else {
            throw Failure.invalid("app_id must be the id of an app; send it with an Access-Token header.")
        }
        _ = try await services.tokens.authorize(request.accessToken, role: .admin, app: app)
        let url = try linkURL(request)
        do {
            return try await services.links.link(url: url, in: Scope(app: app, mode: .live))
        } catch let failure as Failure where failure.code == .notFound {
            return try await services.links.link(url: url, in: Scope(app: app, mode: .test))
        }
    }

    private func link(_ request: Request, of app: AppContext) async throws -> Link {
        try await services.links.link(url: try linkURL(request), in: app.scope)
    }

    private func linkURL(_ request: Request) throws -> String {
        guard let url = request.queryValue("url") else { throw Failure.invalid("url is missing: it must be a link of this app.") }
        return url
    }

    private func answer(_ link: Link) -> Response {
        .json(LinkResponse(link, url: services.links.url(of: link)).json)
    }
}
