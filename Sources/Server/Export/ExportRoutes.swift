import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import Logging

/// Branch's exports, and the downloads of their files.
struct ExportRoutes {
    let directory: AppDirectory
    let exports: ExportService
    let subjectRequests: SubjectRequestService
    let tokens: TokenService
    let baseURL: BaseURL
    let limiter: RateLimiter
    let options: ServerOptions
    private let downloads: DownloadLimiter

    init(
        directory: AppDirectory, exports: ExportService, subjectRequests: SubjectRequestService, tokens: TokenService,
        baseURL: BaseURL, limiter: RateLimiter, downloads: DownloadLimiter, options: ServerOptions
    ) {
        self.directory = directory
        self.exports = exports
        self.subjectRequests = subjectRequests
        self.tokens = tokens
        self.baseURL = baseURL
        self.limiter = limiter
        self.options = options
        self.downloads = downloads
    }

    /// `POST /v3/export`: returns the file addresses of one day, for each topic.
    func day(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let app = try await context.appOfSecret(body, in: directory)
        guard let day = body.text("export_date") else {
            throw Failure.invalid("export_date is missing: a day (UTC) such as 2027-01-31.")
        }
        return .json(.object(try await addresses(of: ExportTopic.daily, on: day, app) { $0.rawValue }))
    }

    /// `GET /v2/export/<branch key>`: the daily export before 2018, of links, clicks, and events including sessions.
    func formerDay(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await context.admittedApp(
            branchKey: context.parameters.get("branch_key"), neededSecret: request.branchSecret, in: directory)
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
            let file = try await exports.signedFile(
                of: topic, on: day, in: app.scope, isGzipped: ExportBody.canGzip, at: exports.clock.now())
            addresses[key(topic)] = .array([.string(baseURL.url(ofExport: file))])
        }
        return addresses
    }

    /// Downloads the file of an address, generated as it is sent.
    func download(_ request: Request, _ context: LindenContext) async throws -> Response {
        let download = try await exports.download(
            context.parameters.get("file") ?? "", expires: request.queryValue("expires"), mode: request.queryValue("mode"),
            at: exports.clock.now())
        let client = limiter.network(of: context.client)
        switch download.content {
        case .rows(let rows):
            let slot = try downloads.begin(rows.scope.app, for: client)
            return try file(download, rows.format, try await exports.begin(rows), slot, context.logger)
        case .person(let handle):
            let request = try await subjectRequests.request(handle)
            let slot = try downloads.begin(request.scope.app, for: client)
            return try file(download, .csv, try await subjectRequests.export(request), slot, context.logger)
        }
    }

    private func file(
        _ download: ExportDownload, _ format: ExportFormat, _ source: some ByteSource, _ slot: Hold, _ logger: Logger
    ) throws -> Response {
        Response(
            status: .ok,
            headers: [
                // The content type of Branch's bucket, by which clients detect gzip.
                .contentType: download.isGzipped ? "application/octet-stream" : format.contentType,
                .contentDisposition: "attachment; filename=\"\(download.name)\"",
                .cacheControl: "private, no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: try ExportBody.body(LoggedSource(source: source, logger: logger), isGzipped: download.isGzipped, slot))
    }

    /// `POST /v2/logs`: orders an export.
    func order(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        let app = try await request.authorizedApp(tokens, directory, body, to: .readRows, context)
        let logs = try LogsRequest(body.withoutApp, scope: Scope(app: app, mode: .live), at: exports.clock.now())
        guard !logs.export.isGzipped || ExportBody.canGzip else {
            throw Failure.invalid("response_format_compression must be left out: this server was built without gzip.")
        }
        let job = try await exports.order(logs.export)
        let url = "\(baseURL.text)/v2/logs/\(job.handle)?app_id=\(app)"
        return .json(["handle": .string(job.handle), "export_job_status_url": .string(url)])
    }

    /// `GET /v2/logs/<handle>`: the status of an ordered export.
    func status(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await request.authorizedApp(tokens, directory, to: .readRows, context)
        let job = try await exports.job(context.parameters.get("handle") ?? "", of: app)
        switch job.state {
        case .running: return .json(["status": "running", "code": 200])
        // An extension to Branch's response: the reason.
        case .failed: return .json(["status": "failed", "code": 200, "message": JSON(job.failure)])
        case .complete:
            let url = baseURL.url(ofExport: try await exports.signedFile(of: job))
            return .json([
                "status": "complete", "response_url": .string(url), "lines_exported": .integer(job.rows), "code": 200,
            ])
        }
    }
}

/// A source whose failure is logged: by then the answer has begun, and all that its client sees is that it ends.
private struct LoggedSource<Source: ByteSource>: ByteSource {
    var source: Source
    let logger: Logger

    mutating func next() async throws -> [UInt8]? {
        do {
            return try await source.next()
        } catch {
            if !(error is CancellationError) { logger.warning("A download failed.", metadata: ["error": "\(error)"]) }
            throw error
        }
    }
}
