import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// Branch's analytics queries, authorized by branch key and secret or by an access token.
struct QueryAnalyticsRoutes {
    let directory: AppDirectory
    let analytics: AnalyticsService
    let tokens: TokenService
    let baseURL: BaseURL
    let options: ServerOptions
    let answers: AnswerBudget

    func query(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let app = try await context.appOfSecret(fields, in: directory)
        let asked = try QueryAnalyticsRequest(
            fields.withoutApp, page: request.rawQuery ?? "", scope: app.scope, settledUntil: analytics.settledUntil)
        let bytes = try await withTaskExecutorPreference(BackgroundThreads.analytics) {
            try await analytics.inTurn(of: app.scope) {
                try asked.response(try await analytics.counts(asked.query), baseURL: baseURL, upTo: AnswerBudget.mostBytes)
            }
        }
        return try answers.json(bytes, of: app.scope.app)
    }

    /// `POST /v2/data/ready`: whether an hour's totals are final, which they are once the hour is over and before the watermark.
    func dataReady(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(upTo: options.maximumSmallBodyBytes)
        _ = try await request.authorizedApp(tokens, directory, fields, to: .readTotals, context)
        let asked = try DataReadyRequest(fields)
        return .json(asked.response(settledUntil: analytics.settledUntil))
    }
}
