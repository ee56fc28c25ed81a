import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// Linden's own analytics queries, authorized by an access token of the app.
struct AnalyticsRoutes {
    let authorizer: AppAuthorizer
    let analytics: AnalyticsService
    let answers: AnswerBudget

    func answer(_ question: AnalyticsQuestion) -> @Sendable (Request, LindenContext) async throws -> Response {
        { request, context in
            let (scope, query, _) = try await authorizer.authorize(
                request, context, to: .readTotals, parameters: question.parameters, repeatable: AnalyticsParameters.repeatable,
                of: question.rawValue)
            let parameters = try AnalyticsParameters(query.items)
            // Questions have turns of their own.
            context.endTurn()
            let bytes = try await withTaskExecutorPreference(BackgroundThreads.analytics) {
                try await analytics.inTurn(of: scope) {
                    try await analytics.reply(to: question, parameters, of: scope).json(upTo: AnswerBudget.mostBytes)
                }
            }
            // Refused while large answers to the app that are still being received use up its share of memory.
            return try answers.json(bytes, of: scope.app)
        }
    }
}
