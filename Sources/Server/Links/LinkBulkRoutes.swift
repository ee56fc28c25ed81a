import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// Changes or deletes several links of an app in one call of the management API, authorized by an access token that may change links.
///
/// Each link is changed or refused on its own, and the answer has an outcome for each, in the order of the call.
struct LinkBulkRoutes {
    let authorizer: AppAuthorizer
    let links: LinkService
    let options: ServerOptions

    func change(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, _, token) = try await authorizer.authorize(request, context, to: .changeLinks, of: "the change of links")
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        try body.check(["links", "change", "delete"], of: "a change of links")
        let (ids, change) = (try ids(of: body), try change(of: body))
        // The authorization has counted one.
        try context.admission?.admit(scope, token: token.id, amount: ids.count - 1)
        // Each link stores the change.
        context.admission?.charge(bytes: body.byteCount * (ids.count - 1))
        let outcomes = try await links.change(ids, in: scope, change)
        return .json(["links": .array(outcomes.map { .object($0.view { links.url(of: $0) }) })])
    }

    private func ids(of body: RequestFields) throws -> [String] {
        guard let values = body["links"]?.array, (1...LinkBulkChange.mostLinks).contains(values.count) else {
            throw Failure.invalid("links must be an array of 1 to \(LinkBulkChange.mostLinks) ids of links.")
        }
        let ids = values.compactMap(\.string)
        guard ids.count == values.count else { throw Failure.invalid("links must have the ids of links as texts.") }
        return ids
    }

    private func change(of body: RequestFields) throws -> LinkBulkChange {
        let isDeletion = try body.strictFlag("delete") ?? false
        switch (try body.object("change"), isDeletion) {
        case (let members?, false):
            let fields = RequestFields(members)
            try fields.check(LinkManagementRoutes.changedMembers, of: "the change of links")
            // Read once, and before any link is changed.
            let changes = try UpdateLinkRequest(fields, isManaged: true).changes()
            try links.check(changes)
            return .update { UpdateLinkRequest.changes(changes, of: links.url(of: $0)) }
        case (nil, true): return .delete
        default: throw Failure.invalid("Give change, an object with what to change, or delete: true.")
        }
    }
}
