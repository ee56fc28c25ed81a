import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// Branch's privacy requests of data subjects.
struct SubjectRequestRoutes {
    let directory: AppDirectory
    let subjectRequests: SubjectRequestService
    let tokens: TokenService
    let baseURL: BaseURL
    let options: ServerOptions

    /// `POST /v1/gdpr`: creates a request about data of an app's live mode.
    func ask(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let fields = try SubjectRequestFields(body)
        let permission: Permission = fields.kind == .erasure ? .administer : .readRows
        let token = try await tokens.authorize(token(request), to: permission)
        guard let app = try request.app(body) ?? token.app else {
            throw Failure.invalid("app_id is missing: the app's id in the query or the body, unless the access token is one app's.")
        }
        _ = try await tokens.authorize(self.token(request), to: permission, app: app)
        try context.admission?.admit(Scope(app: app, mode: .live), token: token.id)
        if try await directory.app(scope: Scope(app: app, mode: .live)) == nil {
            guard fields.kind == .erasure, try await subjectRequests.wasDeleted(app) else {
                throw Failure.notFound("There is no app \(app).")
            }
        }
        let asked = try await subjectRequests.ask(
            fields.kind, about: fields.subjects, in: Scope(app: app, mode: .live))
        return .json(.object(state(asked)))
    }

    /// `POST /v1/gdpr/status`: returns the state of a request, and the address of its result if there is one.
    func status(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        guard let handle = body.text("request_id") else { throw Failure.invalid("request_id is missing.") }
        let token = try await tokens.authorize(token(request), to: .readRows)
        let asked = try await subjectRequests.request(handle)
        _ = try await tokens.authorize(self.token(request), to: .readRows, app: asked.scope.app)
        try context.admission?.admit(asked.scope, token: token.id)
        var answer = state(asked)
        answer["request_type"] = .string(asked.kind.rawValue.uppercased())
        if let file = try await subjectRequests.signedFile(of: asked) {
            answer["export_url"] = .string(baseURL.url(ofExport: file))
        }
        return .json(.object(answer))
    }

    private func state(_ request: SubjectRequest) -> JSONObject {
        [
            "request_id": .string(request.handle),
            "request_status": .string(request.doneAt == nil ? "PENDING" : "SUCCESS"),
        ]
    }

    /// The access token. Branch's older documentation has it in the query.
    private func token(_ request: Request) -> String? { request.accessToken ?? request.queryValue("api_key") }
}
