import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting

/// The doctor's checks in the management API, authorized by an access token: of an app, and of where a link leads.
struct DiagnosisRoutes {
    let authorizer: AppAuthorizer
    let links: LinkService
    let clicks: ClickService
    let diagnosis: AppDiagnosisService

    /// The findings about an app; those about the server only for a token that is valid for all apps.
    func checkApp(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, token) = try await authorizer.authorize(request, context, to: .readSetUp, of: "the doctor")
        let app = try await authorizer.apps.context(query.value("app") ?? "")
        let server = token.app == nil ? try await diagnosis.serverFindings() : []
        let findings = try await diagnosis.findings(on: app) + server
        return .json(
            .object(
                findings.view(about: [
                    "app_id": .string(String(app.app.id.rawValue)), "name": .string(app.app.name), "mode": .string(scope.mode.name),
                ])))
    }

    /// Where a link leads example visitors, or one visitor. No click is recorded.
    func previewLink(_ request: Request, _ context: LindenContext) async throws -> Response {
        let token = try await authorizer.tokens.authorize(request.accessToken, to: .readLinks)
        let query = QueryParameters(request.rawQuery)
        try query.check(["link", "as", "user_agent", "country", "has_app"], of: "the preview")
        let visitors = try Self.visitors(query)
        guard let text = query.value("link") else { throw Failure.invalid("link is missing: a URL, an alias or an id.") }
        let url = text.contains("://") ? text : links.url(of: try await links.find(text, in: token.app))
        guard let inspection = try await clicks.inspect(url: url), token.app == nil || token.app == inspection.link.scope.app else {
            throw Failure.noSuchLink
        }
        try context.admission?.admit(inspection.link.scope, token: token.id)
        return .json(.object(inspection.view(url: links.url(of: inspection.link), visitors)))
    }

    private static func visitors(_ query: QueryParameters) throws -> [(name: String, visitor: Visitor)] {
        var visitors = try named(query)
        let country = query.value("country")
        guard country.map({ $0.utf8.count == 2 && $0.allSatisfy(\.isLetter) }) ?? true else {
            throw Failure.invalid("country must be the two letters of a country, such as de.")
        }
        let hasApp = query.value("has_app") == nil ? nil : try query.bool("has_app")
        for index in visitors.indices {
            visitors[index].visitor.country = country?.uppercased()
            visitors[index].visitor.hasApp = hasApp
        }
        return visitors
    }

    private static func named(_ query: QueryParameters) throws -> [(name: String, visitor: Visitor)] {
        if let userAgent = query.value("user_agent") {
            guard query.value("as") == nil else { throw Failure.invalid("Give as or user_agent, not both.") }
            return [("custom", Visitor(userAgent: userAgent))]
        }
        let all = ExampleVisitor.all.map { (name: $0.name, visitor: $0.visitor) }
        guard let name = query.value("as") else { return all }
        guard let one = all.first(where: { $0.name == name }) else {
            throw Failure.invalid("as must be one of \(all.map(\.name).joined(separator: ", ")), not \"\(name)\".")
        }
        return [one]
    }
}
