import HTTPTypes
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// Links as CSV files in the management API, authorized by an access token.
struct LinkFileRoutes {
    let authorizer: AppAuthorizer
    let directory: AppDirectory
    let links: LinkService
    let linkLists: LinkListService
    let publicIDs: PublicIDs
    let limiter: RateLimiter
    let downloads: DownloadLimiter
    let clock: WallClock

    /// Writes the links that pass a filter while they are read.
    func export(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readLinks, parameters: ["app", "sort"] + LinkFilter.parameters, of: "the file of links")
        let app = try await app(scope)
        let filter = try LinkFilter(query, now: clock.now())
        try filter.check()
        let source = LinkFile(
            lists: linkLists, links: links, filter, order: try query.choice("sort") ?? .newest, of: app)
        let slot = try downloads.begin(scope.app, for: limiter.network(of: context.client))
        return Response(
            status: .ok,
            headers: [
                .contentType: ExportFormat.csv.contentType, .contentDisposition: "attachment; filename=\"links.csv\"",
                .cacheControl: "private, no-store", .xContentTypeOptions: "nosniff",
            ],
            body: try ExportBody.body(source, isGzipped: false, slot))
    }

    /// Creates the links of a file, each row on its own.
    func `import`(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, token) = try await authorizer.authorize(
            request, context, to: .createLinks, parameters: ["app", "dry_run"], of: "the import of links")
        let isDryRun = try query.bool("dry_run")
        let app = try await app(scope)
        // A thousand rows take tens of milliseconds of CPU time.
        return try await withTaskExecutorPreference(BackgroundThreads.analytics) {
            let file = try await request.parsed(upTo: LinkImport.mostBytes) { try LinkImport(csv: $0, publicIDs) }
            // The authorization has counted one.
            try context.admission?.admit(scope, token: token.id, amount: file.rowCount - 1)
            let report = try await file.run(links, for: app, isDryRun: isDryRun, telling: token.may(.readLinks))
            return .json(.object(report.view))
        }
    }

    private func app(_ scope: Scope) async throws -> AppContext {
        guard let app = try await directory.app(scope: scope) else { throw Failure.notFound("There is no app \(scope.app).") }
        return app
    }
}
