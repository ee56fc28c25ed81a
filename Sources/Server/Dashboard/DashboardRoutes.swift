import Connections
import Dashboard
import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import Logging
import NIOCore

/// Serves the dashboard below `/dashboard`, on its own host. Its pages are routed by ``DashboardRoute``; they are no part of the API.
struct DashboardRoutes {
    private let responder: RouterResponder<LindenContext>
    private let settings: DashboardSettings
    private let baseURL: BaseURL

    init(
        services: Services, options: ServerOptions, streams: EventStreams, downloads: DownloadLimiter,
        turns: ClientTurnsMiddleware, bodies: BodyBudgetMiddleware, answers: AnswerBudgetMiddleware
    ) {
        settings = options.dashboard
        baseURL = services.baseURL
        let pages = DashboardPages(services: services, options: options, streams: streams, downloads: downloads)
        let router = Router(context: LindenContext.self)
        router.add(middleware: FailureMiddleware())
        router.add(
            middleware: AdmissionMiddleware(
                limiter: services.limiter, disk: services.disk, interface: .dashboard))
        router.add(middleware: turns)
        router.add(middleware: bodies)
        router.add(middleware: answers)
        for path: RouterPath in ["/dashboard", "/dashboard/**"] {
            router.get(path, use: pages.answer)
            router.head(path, use: pages.answer)
            router.post(path, use: pages.answer)
        }
        responder = router.buildResponder()
    }

    /// Returns whether a request is for the dashboard. On other hosts its paths are those of links that do not exist.
    func serves(_ request: Request) -> Bool {
        let path = request.rawPath
        return (path == "/dashboard" || path.hasPrefix("/dashboard/")) && settings.serves(host: request.host, baseURL: baseURL)
    }

    func respond(to request: Request, _ context: LindenContext) async throws -> Response {
        try await responder.respond(to: request, context: context)
    }
}

/// Translates requests and responses of the dashboard.
private struct DashboardPages: Sendable {
    private let dashboard: Dashboard
    private let options: ServerOptions
    private let baseURL: BaseURL
    private let limiter: RateLimiter
    private let downloads: DownloadLimiter
    private let streams: DashboardStreams

    init(services: Services, options: ServerOptions, streams: EventStreams, downloads: DownloadLimiter) {
        limiter = services.limiter
        self.downloads = downloads
        let codes = QRCodeRoutes(
            directory: services.directory, links: services.links, publicIDs: services.publicIDs, baseURL: services.baseURL,
            limiter: services.limiter, options: options)
        let checks = ConcurrencyLimiter(limit: 2)
        dashboard = Dashboard(
            services: services, settings: options.dashboard, threads: BackgroundThreads.dashboard,
            drawCode: { url, renderer, scope in
                try await codes.image(renderer, in: scope, for: .authorized(scope.app)) { url }
            },
            diagnose: { host, files, scope in
                try await checks.pass(scope, for: nil) { try await DomainDiagnosis.findings(onPublic: host, files) }
            })
        self.options = options
        baseURL = services.baseURL
        self.streams = DashboardStreams(streams)
    }

    @Sendable func answer(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard request.head.path?.utf8.count ?? 0 <= DashboardRequest.mostAddressBytes else {
            throw Failure.invalid("The address of a page may have at most \(DashboardRequest.mostAddressBytes) bytes.")
        }
        let most = DashboardRequest.mostBytes(ofForm: request.rawPath, cookie: request.cookie)
        let body = request.method == .post ? try await request.bytes(upTo: most) : []
        try await context.callTurn?.begin()
        let page = DashboardRequest(
            method: request.method == .post ? .post : .get, path: request.rawPath, query: request.rawQuery,
            authority: request.head.authority ?? "", origin: request.headers[.origin], fetchSite: request.headers[.secFetchSite],
            isSecure: options.isSecure(request, from: context.peer, baseURL), address: context.client,
            cookie: { request.cookie($0) }, contentType: request.headers[.contentType] ?? "", body: body)
        // Figures, explanations and compression take milliseconds of CPU time.
        var (answer, response) = try await withTaskExecutorPreference(BackgroundThreads.dashboard) {
            let answer = await dashboard.answer(to: page, logger: context.logger)
            return (answer, try Response(answer, to: request))
        }
        if let file = answer.file, request.method == .get {
            let slot = try downloads.begin(file.app, for: limiter.network(of: page.address))
            response.body = try ExportBody.body(file.source, isGzipped: false, slot)
        }
        if let stream = answer.stream, request.method == .get {
            response.body = try await streams.body(of: stream, since: request.header(.lastEventID), logger: context.logger)
        }
        return response
    }
}

extension Response {
    fileprivate init(_ answer: DashboardAnswer, to request: Request) throws {
        let compressed = try answer.compressedBody(for: request)
        var headers: HTTPFields = [
            .contentType: answer.contentType,
            .contentSecurityPolicy: answer.contentSecurityPolicy,
            .xContentTypeOptions: "nosniff",
            // The origin is sent to the own pages, which check it. The address of a page may have a secret for setting a password.
            .referrerPolicy: answer.isShared ? "no-referrer" : "same-origin",
            .crossOriginOpenerPolicy: "same-origin",
            .crossOriginResourcePolicy: "same-origin",
            .cacheControl: answer.isImmutable ? "public, max-age=31536000, immutable" : "no-store",
        ]
        if answer.isCompressible { headers[.vary] = "Accept-Encoding" }
        if compressed != nil { headers[.contentEncoding] = "gzip" }
        if let name = answer.fileName { headers[.contentDisposition] = "attachment; filename=\"\(name)\"" }
        headers[values: .setCookie] = answer.cookies
        if answer.isShared { headers[.xRobotsTag] = "noindex, nofollow, noarchive" }
        let status: HTTPResponse.Status
        switch answer.outcome {
        case .found: status = .ok
        case .seeOther(let path):
            status = .seeOther
            headers[.location] = path
        case .failed(let code, let retryAfter):
            status = Failure(code, "").status
            if let retryAfter { headers[.retryAfter] = String(retryAfter) }
        case .broken: status = .internalServerError
        }
        let body = compressed ?? answer.body
        self.init(status: status, headers: headers, body: body.isEmpty ? .init() : .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension HTTPField.Name {
    fileprivate static let xRobotsTag = HTTPField.Name("X-Robots-Tag")!
    fileprivate static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
}
