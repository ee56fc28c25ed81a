import Hummingbird
import LindenServices
import NIOCore

/// Middleware that limits the memory of large answers to an app's operators and servers while they are sent, see ``AnswerBudget``. What others can
/// ask for is small, or has limits of its own.
struct AnswerBudgetMiddleware: RouterMiddleware {
    let answers: AnswerBudget

    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard request.method != .head, let length = response.body.contentLength, length > AnswerBudget.freeBytes,
            let app = context.admission?.authorizedApp
        else { return response }
        let isDone = CallClass(request.method, context.endpointPath).writes
        let slot = try answers.hold(length, of: app, isDone: isDone) { [channel = context.channel] in channel.close(promise: nil) }
        let collected = BodyCollector()
        try await response.body.write(collected)
        response.body = ResponseBody(parts: collected.collected).holding(slot)
        return response
    }
}
