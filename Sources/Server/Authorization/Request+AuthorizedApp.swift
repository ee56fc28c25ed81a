import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenServices

extension Request {
    /// Returns the app that a call names in its query or body, and counts the call towards its limits. Fails with `invalid` if there is none,
    /// and unless the call's access token is valid for the app and has the permission.
    func authorizedApp(
        _ tokens: TokenService, _ directory: AppDirectory, _ body: RequestFields = RequestFields([:]), to permission: Permission,
        _ context: LindenContext
    ) async throws -> App.ID {
        guard let app = try app(body) else {
            throw Failure.invalid(
                "app_id is missing: the app's id, in the query or the body; the access token is in the header Access-Token."
                    + (namesOrganization(body) ? " An organization_id does not stand for it: there are no organizations here." : "")
            )
        }
        let token = try await tokens.authorize(accessToken, to: permission, app: app)
        try context.admission?.admit(Scope(app: app, mode: .live), token: token.id)
        guard try await directory.app(scope: Scope(app: app, mode: .live)) != nil else {
            throw Failure.notFound("There is no app \(app).")
        }
        return app
    }

    /// Returns the app in `app_id` of the query or the body; nil if neither has one. Fails with `invalid` for a malformed id and for two
    /// different ids.
    func app(_ body: RequestFields) throws -> App.ID? {
        let (inQuery, inBody) = (queryValue("app_id").flatMap { $0.isEmpty ? nil : $0 }, body.appID)
        if let inQuery, let inBody, inQuery != inBody {
            throw Failure.invalid("app_id must be the same in the query and the body, not \(inQuery) and \(inBody).")
        }
        return try (inQuery ?? inBody).map { text in
            guard let id = Int64(text) else { throw Failure.invalid("app_id must be the number of an app, not \"\(text)\".") }
            return App.ID(rawValue: id)
        }
    }

    private func namesOrganization(_ body: RequestFields) -> Bool {
        queryValue("organization_id") != nil || body.text("organization_id") != nil
    }
}
