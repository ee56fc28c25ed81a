import BranchWire
import Hummingbird
import Linden

/// Branch's calls about what happened, by key and secret or token.
struct QueryAnalyticsRoutes {
    let services: Services
    let options: ServerOptions

    func query(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await context.appOfSecret(fields, of: services)
        let asked = try QueryAnalyticsRequest(
            fields.withoutApp, page: request.rawQuery ?? "", scope: app.scope, settledUntil: services.analytics.settledUntil)
        return .json(asked.response(try await services.analytics.counts(asked.query), baseURL: services.baseURL))
    }

    /// Whether the figures of an hour are all there: they are once it is over and settled.
    func dataReady(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(upTo: options.maximumBodyBytes)
        _ = try await request.authorizedApp(services, fields)
        let asked = try DataReadyRequest(fields)
        return .json(asked.response(settledUntil: services.analytics.settledUntil))
    }
}
