import BranchWire
import Hummingbird
import Linden

/// Branch's exports, and the downloads of their files.
struct ExportRoutes {
    let services: Services
    let options: ServerOptions
    private let downloads: DownloadLimiter

    init(services: Services, options: ServerOptions) {
        self.services = services
        self.options = options
        downloads = DownloadLimiter(perApp: services.exports.limits.downloads)
    }

    /// `POST /v3/export`: returns the file addresses of one day, for each topic.
    func day(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await context.appOfSecret(body, of: services)
        guard let day = body.text("export_date") else {
            throw Failure.invalid("export_date is missing: a day (UTC) such as 2027-01-31.")
        }
        return .json(.object(try await addresses(of: ExportTopic.daily, on: day, app) { $0.rawValue }))
    }

    /// `GET /v2/export/<branch key>`: the daily export before 2018, of links, clicks, and events including sessions.
    func formerDay(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await context.app(
            branchKey: context.parameters.get("branch_key"), neededSecret: request.branchSecret, of: services)
        guard let day = request.queryValue("export_date") else {
            throw Failure.invalid("export_date is missing in the query: a day (UTC) such as 2027-01-31.")
        }
        return .json(.object(try await addresses(of: [.links, .events, .clicks], on: day, app) { $0.rawValue + "_export_url" }))
    }

    private func addresses(
        of topics: [ExportTopic], on day: String, _ app: AppContext, _ key: (ExportTopic) -> String
    ) async throws -> JSONObject {
        var addresses = JSONObject()
        for topic in topics {
            let url = try await services.exports.url(
                of: topic, on: day, in: app.scope, isPacked: ExportBody.canPack, at: services.exports.clock.now())
            addresses[key(topic)] = .array([.string(url)])
        }
        return addresses
    }

    /// Downloads the file of an address, generated as it is sent.
    func download(_ request: Request, _ context: LindenContext) async throws -> Response {
        let download = try await services.exports.download(
            context.parameters.get("file") ?? "", expires: request.queryValue("expires"), mode: request.queryValue("mode"),
            at: services.exports.clock.now())
        let client = services.limiter.network(of: options.clientAddress(of: request, context))
        switch download.content {
        case .rows(let rows):
            let slot = try downloads.begin(rows.scope.app, for: client)
            return try file(download, rows.format, try await services.exports.begin(rows), slot)
        case .person(let handle):
            let request = try await services.subjectRequests.request(handle)
            let slot = try downloads.begin(request.scope.app, for: client)
            return try file(download, .csv, try await services.subjectRequests.export(request), slot)
        }
    }

    private func file(
        _ download: ExportDownload, _ format: ExportFormat, _ source: some ByteSource, _ slot: DownloadSlot
    ) throws -> Response {
        Response(
            status: .ok,
            headers: [
                // The content type of Branch's bucket, by which clients detect gzip.
                .contentType: download.isPacked ? "application/octet-stream" : format.contentType,
                .contentDisposition: "attachment; filename=\"\(download.name)\"",
                .cacheControl: "private, no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: try ExportBody.body(source, isPacked: download.isPacked, slot))
    }

    /// `POST /v2/logs`: orders an export.
    func order(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await request.authorizedApp(services, body)
        let logs = try LogsRequest(body.withoutApp, scope: Scope(app: app, mode: .live), at: services.exports.clock.now())
        guard !logs.export.isPacked || ExportBody.canPack else {
            throw Failure.invalid("response_format_compression must be left out: this server was built without gzip.")
        }
        let job = try await services.exports.order(logs.export)
        let url = "\(services.baseURL.text)/v2/logs/\(job.handle)?app_id=\(app)"
        return .json(["handle": .string(job.handle), "export_job_status_url": .string(url)])
    }

    /// `GET /v2/logs/<handle>`: the status of an ordered export.
    func status(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await request.authorizedApp(services)
        let job = try await services.exports.job(context.parameters.get("handle") ?? "", of: app)
        switch job.state {
        case .running: return .json(["status": "running", "code": 200])
        case .failed: return .json(["status": "failed", "code": 200])
        case .complete:
            let url = try await services.exports.url(of: job)
            return .json([
                "status": "complete", "response_url": .string(url), "lines_exported": .integer(job.rows), "code": 200,
            ])
        }
    }
}
