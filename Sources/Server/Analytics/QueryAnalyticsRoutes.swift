import BranchWire
import Hummingbird
import Linden

/// Branch's analytics queries, authorized by branch key and secret or by an access token.
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

    /// `POST /v2/data/ready`: whether an hour's totals are final, which they are once the hour is over and before the watermark.
    func dataReady(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(upTo: options.maximumBodyBytes)
        _ = try await request.authorizedApp(services, fields)
        let asked = try DataReadyRequest(fields)
        return .json(asked.response(settledUntil: services.analytics.settledUntil))
    }
}
