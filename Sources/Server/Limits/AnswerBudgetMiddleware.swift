import Hummingbird
import LindenServices

/// Middleware that limits the memory of large answers to operators of an app while they are sent, see ``AnswerBudget``. What others can ask for is
/// small, or has limits of its own.
struct AnswerBudgetMiddleware: RouterMiddleware {
    let answers: AnswerBudget

    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard let length = response.body.contentLength, length > AnswerBudget.freeBytes, let app = context.admission?.operatorsApp
        else {
            return response
        }
        response.body = response.body.holding(try answers.hold(length, of: app))
        return response
    }
}
