import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The templates of links of an app's side in the management API, authorized by an access token.
struct LinkTemplateRoutes {
    let authorizer: AppAuthorizer
    let templates: LinkTemplateService
    let options: ServerOptions

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readLinks, parameters: ["app", "without_data"], of: "the list of templates")
        let views: [JSONObject] =
            if try query.bool("without_data") {
                try await templates.summaries(scope).map(\.view)
            } else {
                try await templates.list(scope).map(\.view)
            }
        return .json(["templates": .array(views.map { .object($0) })])
    }

    /// Stores a template in place of one with the same name.
    func save(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await authorizer.authorize(request, context, to: .changeLinks, of: "this call").scope
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try body.check(LinkTemplate.members, of: "a template")
        let template = try LinkTemplate(body)
        try await templates.save(template, in: scope)
        return .json(.object(template.view))
    }

    func delete(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .changeLinks, parameters: ["app", "name"], of: "this call")
        guard let name = query.value("name") else { throw Failure.invalid("name is missing: that of the template.") }
        try await templates.delete(name, in: scope)
        return .json(["name": .string(name), "deleted": true])
    }
}
