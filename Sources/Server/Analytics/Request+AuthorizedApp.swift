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
}
