import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenServices

/// Changes or deletes several links of an app in one call of the management API, authorized by an access token of the role admin.
///
/// Each link is changed or refused on its own, and the answer has an outcome for each, in the order of the call.
struct LinkBulkRoutes {
    static let maximumLinks = 100

    let authorizer: AppAuthorizer
    let links: LinkService
    let options: ServerOptions

    private enum Change {
        case update(RequestFields)
        case delete
    }

    func change(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await authorizer.authorize(request, context, role: .admin, of: "the change of links").scope
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try body.check(["links", "change", "delete"], of: "a change of links")
        let (ids, change) = (try ids(of: body), try change(of: body))
        var outcomes: [JSON] = []
        for id in ids {
            do {
                outcomes.append(.object(try await outcome(of: change, to: id, in: scope)))
            } catch let failure as Failure {
                outcomes.append(["id": .string(id), "error": .string(failure.message)])
            }
        }
        return .json(["links": .array(outcomes)])
    }

    private func outcome(of change: Change, to text: String, in scope: Scope) async throws -> JSONObject {
        guard let id = Int64(text), let link = try await links.link(Link.ID(rawValue: id)), link.scope == scope else {
            throw Failure.notFound("There is no link \(text).")
        }
        let url = links.url(of: link)
        switch change {
        case .update(let fields):
            _ = try await links.update(link.id, with: try UpdateLinkRequest(fields).changes(url: url))
            return ["id": .string(text), "url": .string(url), "changed": true]
        case .delete:
            try await links.delete(link.id)
            return ["id": .string(text), "url": .string(url), "deleted": true]
        }
    }

    private func ids(of body: RequestFields) throws -> [String] {
        guard let values = body["links"]?.array, (1...Self.maximumLinks).contains(values.count) else {
            throw Failure.invalid("links must be an array of 1 to \(Self.maximumLinks) ids of links.")
        }
        let ids = values.compactMap(\.string)
        guard ids.count == values.count else { throw Failure.invalid("links must have the ids of links as texts.") }
        guard Set(ids).count == ids.count else { throw Failure.invalid("links has an id more than once.") }
        return ids
    }

    private func change(of body: RequestFields) throws -> Change {
        let isDeletion = try body.strictFlag("delete") ?? false
        switch (try body.object("change"), isDeletion) {
        case (let members?, false):
            let fields = RequestFields(members)
            try fields.check(LinkManagementRoutes.changedMembers, of: "the change of links")
            return .update(fields)
        case (nil, true): return .delete
        default: throw Failure.invalid("Give change, an object with what to change, or delete: true.")
        }
    }
}
