import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The questions that an app's side shares, in the management API, authorized by an access token.
struct ShareManagementRoutes {
    let authorizer: AppAuthorizer
    let sharedQuestions: SharedQuestionService
    let baseURL: BaseURL
    let options: ServerOptions

    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await authorizer.authorize(request, context, to: .readTotals, of: "the list of shared questions").scope
        return .json(["shares": .array(try await sharedQuestions.list(scope).map { .object($0.view) })])
    }

    /// Shares a question, and shows its address for the only time.
    func create(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await authorizer.authorize(request, context, to: .shareTotals, of: "this call").scope
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["title", "query", "days"], of: "a shared question")
        guard let title = try body.strictText("title") else { throw Failure.invalid("title is missing: the heading of the page.") }
        guard let query = try body.strictText("query") else {
            throw Failure.invalid("query is missing: a question and its parameters, such as question=top&by=channel.")
        }
        let days = try body.integer("days").map { Int(clamping: $0) } ?? SharedQuestion.standardDays
        let (shared, secret) = try await withTaskExecutorPreference(BackgroundThreads.analytics) {
            try await sharedQuestions.create(query, title: title, days: days, in: scope)
        }
        return .json(.object(shared.view(secret: secret, on: try options.dashboard.baseURL(baseURL))))
    }

    func revoke(_ request: Request, _ context: LindenContext) async throws -> Response {
        let scope = try await authorizer.authorize(request, context, to: .shareTotals, of: "this call").scope
        let id = context.parameters.get("share_id") ?? ""
        guard let number = Int64(id), try await sharedQuestions.revoke(SharedQuestion.ID(rawValue: number), in: scope) else {
            throw Failure.notFound("There is no shared question \(id).")
        }
        return .json(["share_id": .string(id), "revoked": true])
    }
}
