import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// The ordered exports of one side of an app in the management API, authorized by an access token.
struct ExportManagementRoutes {
    let authorizer: AppAuthorizer
    let exports: ExportService
    let baseURL: BaseURL
    let options: ServerOptions

    /// The latest orders, newest first.
    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readRows, parameters: ["app", "limit"], of: "the list of exports")
        let limit = try query.number("limit", in: 1...ExportService.mostListed) ?? 50
        var views: [JSON] = []
        for job in try await exports.jobs(of: scope, limit: limit) { views.append(.object(try await view(of: job))) }
        return .json(["exports": .array(views)])
    }

    /// Orders an export with the members of `POST /v2/logs`.
    func order(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, _, _) = try await authorizer.authorize(request, context, to: .readRows, of: "this call")
        var members = try await request.fields(upTo: options.maximumSmallBodyBytes).members
        if members["fields"] == nil { members["fields"] = ["all"] }
        let logs = try LogsRequest(RequestFields(members), scope: scope, at: exports.clock.now())
        guard !logs.export.isGzipped || ExportBody.canGzip else {
            throw Failure.invalid("response_format_compression must be left out: this server was built without gzip.")
        }
        return .json(.object(try await view(of: exports.order(logs.export))))
    }

    private func view(of job: ExportJob) async throws -> JSONObject {
        job.view(url: job.state == .complete ? baseURL.url(ofExport: try await exports.signedFile(of: job)) : nil)
    }
}
