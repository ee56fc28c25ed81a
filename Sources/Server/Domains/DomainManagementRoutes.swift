import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The hosts of apps' links in the management API, authorized by an access token.
///
/// The token and its permission are checked before anything is looked up. A domain of an app that the token is not valid for is answered like
/// none.
struct DomainManagementRoutes {
    let authorizer: AppAuthorizer
    let domains: DomainService
    let baseURL: BaseURL
    let options: ServerOptions

    /// A page of the domains of one side of an app, or of all that the token is valid for.
    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let token = try await authorizer.tokens.authorize(request.accessToken, to: .readSetUp)
        let query = QueryParameters(request.rawQuery)
        try query.check(["app", "cursor", "limit"], of: "the list of domains")
        let scope: Scope? =
            if query.value("app") == nil {
                nil
            } else {
                try await request.authorizedScope(authorizer.tokens, authorizer.apps, to: .readSetUp) { query.value("app") }
            }
        if let scope = scope ?? token.app.map({ Scope(app: $0, mode: .live) }) {
            try context.admission?.admit(scope, token: token.id)
        }
        let page = try await domains.list(
            of: scope?.app ?? token.app, scope?.mode, after: query.value("cursor"),
            limit: try query.number("limit", in: 1...1000) ?? 50)
        return .json(["domains": .array(page.domains.map { .object($0.view) }), "next_cursor": JSON(page.next)])
    }

    func add(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, _, token) = try await authorizer.authorize(request, context, to: .administer, of: "the addition of a domain")
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["domain"], of: "a domain")
        guard let text = try body.strictText("domain") else {
            throw Failure.invalid("domain is missing: a host such as go.example.com.")
        }
        let host = try Domain.normalizedHost(text)
        // The links of all apps without a domain of their own are on that host, and the pages of its owner are shown there.
        guard token.app == nil || host != baseURL.host else {
            throw Failure(.forbidden, "\(host) is the host of the base URL: only a token of all apps can add it.")
        }
        do {
            return .json(.object(try await domains.add(host, to: scope).view))
        } catch let failure as Failure where failure.code == .conflict && token.app != nil {
            // The message would name the app that has it.
            throw Failure(.conflict, "\(host) is the domain of an app already.")
        }
    }

    func change(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (domain, _) = try await domain(request, context)
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let names = domain.pages.members.map(\.name)
        try body.check(names, of: "a domain")
        guard names.contains(where: { body.members[$0] != nil }) else {
            throw Failure.invalid("Give at least one of \(names.joined(separator: ", ")).")
        }
        let (root, notFound, expired) = (
            try body.update("root_url"), try body.update("not_found_url"), try body.update("expired_url")
        )
        let changed = try await domains.update(domain.host, of: domain.scope) { pages in
            root.apply(to: &pages.rootURL)
            notFound.apply(to: &pages.notFoundURL)
            expired.apply(to: &pages.expiredURL)
        }
        return .json(.object(changed.detailedView))
    }

    func remove(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (domain, token) = try await domain(request, context)
        try await domains.remove(domain.host, from: domain.scope, mayShareHost: token.app == nil)
        return .json(["domain": .string(domain.host), "removed": true])
    }

    func associate(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (host, app) = try await association(request, context)
        try await domains.associate(app, with: host)
        return .json(["domain": .string(host), "app_id": .string(String(app.rawValue)), "associated": true])
    }

    func dissociate(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (host, app) = try await association(request, context)
        try await domains.dissociate(app, from: host)
        return .json(["domain": .string(host), "app_id": .string(String(app.rawValue)), "associated": false])
    }

    /// Returns the domain that a path names, for a change, and the token that may change it. Fails with `notFound` for one of an app that the token is not valid for.
    private func domain(_ request: Request, _ context: LindenContext) async throws -> (domain: Domain, token: AccessToken) {
        let token = try await authorizer.tokens.authorize(request.accessToken, to: .administer)
        try QueryParameters(request.rawQuery).check([], of: "this call")
        let host = try Domain.normalizedHost(context.parameters.get("domain") ?? "")
        guard let domain = try await domains.domain(host), token.app == nil || token.app == domain.scope.app else {
            throw Failure.notFound("There is no domain \(host).")
        }
        try context.admission?.admit(domain.scope, token: token.id)
        return (domain, token)
    }

    /// Returns the host and the further app of a path. An association lets the phones of one app open the links of another, so it needs a
    /// token of both, which is one of all apps.
    private func association(_ request: Request, _ context: LindenContext) async throws -> (host: String, app: App.ID) {
        let token = try await authorizer.tokens.authorizeForAllApps(
            request.accessToken, to: "let one app open the links of another")
        try QueryParameters(request.rawQuery).check([], of: "this call")
        let host = try Domain.normalizedHost(context.parameters.get("domain") ?? "")
        let scope = try await authorizer.apps.scope(of: context.parameters.get("app") ?? "")
        try context.admission?.admit(scope, token: token.id)
        return (host, scope.app)
    }
}
