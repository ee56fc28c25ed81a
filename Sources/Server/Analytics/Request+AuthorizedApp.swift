import Hummingbird
import Linden

extension Request {
    /// The app that a call is about (`app_id` in the query), if its access token may read it.
    func authorizedApp(_ services: Services) async throws -> App.ID {
        guard let app = queryValue("app_id").flatMap({ Int64($0) }).map(App.ID.init(rawValue:)) else {
            throw Failure.invalid("app_id is missing in the query: the app's id; the access token is in the header Access-Token.")
        }
        _ = try await services.tokens.authorize(accessToken, role: .analyst, app: app)
        guard try await services.directory.app(scope: Scope(app: app, mode: .live)) != nil else {
            throw Failure.notFound("There is no app \(app).")
        }
        return app
    }

    /// The side of an app that one of Linden's own calls names (`app`: a key, or the app's id for its live side), if the call's access token
    /// may read it. The token comes first, so that a caller without one learns nothing of what there is.
    func authorizedScope(_ services: Services, app: () throws -> String?) async throws -> Scope {
        let token = try await services.tokens.authorize(accessToken, role: .analyst)
        guard let app = try app() else {
            throw Failure.invalid("app is missing: a live or test key, or the app's id for its live side.")
        }
        let scope = try await services.apps.context(app).scope
        guard token.app == nil || token.app == scope.app else {
            throw Failure(.forbidden, "The token is not one of this app.")
        }
        return scope
    }
}
