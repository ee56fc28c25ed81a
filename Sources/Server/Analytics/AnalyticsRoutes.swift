import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// Linden's own analytics queries, authorized by an access token of the app.
struct AnalyticsRoutes {
    /// Parameters that may be given more than once.
    private static let repeatable: Set<String> = ["topic", "by", "filter"]

    let authorizer: AppAuthorizer
    let analytics: AnalyticsService
    let answers: AnswerBudget

    func answer(_ question: AnalyticsQuestion) -> @Sendable (Request, LindenContext) async throws -> Response {
        { request, context in
            let (scope, query, _) = try await authorizer.authorize(
                request, context, parameters: question.parameters, repeatable: Self.repeatable, of: question.rawValue)
            let parameters = try AnalyticsParameters(query)
            let bytes = try await withTaskExecutorPreference(BackgroundThreads.exports) {
                try await analytics.reply(to: question, parameters, of: scope).json(upTo: AnswerBudget.mostBytes)
            }
            // Refused while large answers to the app that are still being received use up its share of memory.
            return try answers.json(bytes, of: scope.app)
        }
    }
}

extension AnalyticsParameters {
    fileprivate init(_ query: QueryParameters) throws {
        self.init()
        if let from = query.value("from") { self.from = from }
        to = query.value("to")
        if let timezone = query.value("timezone") { self.timezone = timezone }
        if query.value("topic") != nil { topics = query.values("topic") }
        by = query.values("by")
        filters = query.values("filter")
        if let aggregation = query.value("aggregation") { self.aggregation = aggregation }
        if let granularity = query.value("granularity") { self.granularity = granularity }
        if let order = query.value("ordered") { self.order = order }
        orderedBy = query.value("ordered_by")
        fillsZeros = try query.bool("zero_fill")
        limit = try query.number("limit")
        if let offset = try query.number("after") { self.offset = offset }
        if let event = query.value("event") { self.event = event }
        days = try query.number("days")
    }
}
