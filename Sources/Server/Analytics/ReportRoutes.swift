import BranchWire
import Hummingbird
import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// Branch's reports. A client orders a report, polls its status and downloads the file.
struct ReportRoutes {
    let directory: AppDirectory
    let analytics: AnalyticsService
    let reports: ReportService
    let tokens: TokenService
    let baseURL: BaseURL
    let options: ServerOptions
    let answers: AnswerBudget

    /// `POST /v2/analytics`: orders a report of totals or of cohorts.
    func orderAggregate(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(upTo: options.maximumSmallBodyBytes)
        return try await order(
            CohortRequest.isCohort(fields) ? .cohort : .aggregate, request, context, fields,
            format: request.queryValue("format") ?? "csv", statusPath: "/v2/analytics/")
    }

    /// `POST /v1/branch_aggregate/async/analytics`
    func orderCrossEvents(_ request: Request, _ context: LindenContext) async throws -> Response {
        let fields = try await request.fields(upTo: options.maximumSmallBodyBytes)
        if let compression = fields.text("response_format_compression") {
            throw Failure.invalid("response_format_compression must be left out, not \(compression); files are sent as they are.")
        }
        return try await order(
            .crossEvents, request, context, fields, format: fields.text("response_format") ?? "json",
            statusPath: "/v1/branch_aggregate/async/status/")
    }

    private func order(
        _ kind: ReportJob.Kind, _ request: Request, _ context: LindenContext, _ fields: RequestFields, format: String,
        statusPath: String
    ) async throws -> Response {
        let app = try await request.authorizedApp(tokens, directory, fields, to: .readTotals, context)
        let fields = fields.withoutApp
        guard let format = ReportJob.Format(rawValue: format) else { throw Failure.invalid("The format must be csv or json.") }
        let limit = try request.queryValue("limit").map { text in
            guard let limit = Int(text) else { throw Failure.invalid("limit must be a whole number.") }
            return limit
        }
        let scope = Scope(app: app, mode: .live)
        // Invalid requests fail here rather than at the download.
        _ = try OrderedReport(kind, fields, limit, scope, analytics.settledUntil)
        let job = try await reports.order(kind, fields.members, format: format, limit: limit, scope: scope)
        return .json([
            "code": 200, "job_id": .string(job.handle),
            "status_url": .string(baseURL.text + statusPath + job.handle + "?app_id=\(app)"),
        ])
    }

    /// `GET /v2/analytics/<job>` and `GET /v1/branch_aggregate/async/status/<job>`
    func status(_ request: Request, _ context: LindenContext) async throws -> Response {
        let app = try await request.authorizedApp(tokens, directory, to: .readTotals, context)
        let job = try await reports.job(context.parameters.get("job_id") ?? "", of: app)
        let url = baseURL.url(ofReport: try await reports.signedFile(of: job))
        return .json(["code": 200, "status": "FINISHED", "response_url": .string(url)])
    }

    /// Downloads the file of a report, which is computed at each download.
    func download(_ request: Request, _ context: LindenContext) async throws -> Response {
        let job = try await reports.job(
            file: context.parameters.get("file") ?? "", expires: request.queryValue("expires"),
            signature: request.queryValue("signature"))
        try context.admission?.admit(job.scope, token: nil)
        let report = try OrderedReport(job.kind, RequestFields(job.body), job.limit, job.scope, job.settledUntil)
        let (type, bytes) = try await withTaskExecutorPreference(BackgroundThreads.analytics) {
            try await analytics.inTurn(of: job.scope) { try await report.file(job.format, analytics) }
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .contentDisposition: "attachment; filename=\"report.\(job.format.rawValue)\"",
                .cacheControl: "private, no-store", .xContentTypeOptions: "nosniff",
            ], body: try answers.body(bytes, of: job.scope.app))
    }
}

/// The parsed request of a report job.
private enum OrderedReport {
    case aggregate(Report)
    case crossEvents(Report)
    case cohort(CohortReport)

    init(
        _ kind: ReportJob.Kind, _ fields: RequestFields, _ limit: Int?, _ scope: Scope, _ settledUntil: Timestamp
    ) throws {
        switch kind {
        case .aggregate:
            self = .aggregate(try AggregateRequest(fields, limit: limit, scope: scope, settledUntil: settledUntil).report)
        case .crossEvents:
            self = .crossEvents(try CrossEventsRequest(fields, limit: limit, scope: scope, settledUntil: settledUntil).report)
        case .cohort:
            self = .cohort(try CohortRequest(fields, limit: limit, scope: scope, settledUntil: settledUntil).report)
        }
    }

    func file(_ format: ReportJob.Format, _ analytics: AnalyticsService) async throws -> (type: String, bytes: [UInt8]) {
        let (csv, json) = ("text/csv; charset=utf-8", "application/json")
        switch (self, format) {
        case (.aggregate(let report), .csv), (.crossEvents(let report), .csv):
            return (csv, try report.csv(try await analytics.rows(of: report), upTo: AnswerBudget.mostBytes))
        case (.aggregate(let report), .json):
            return (json, try Self.json(.array, try await analytics.rows(of: report)))
        case (.crossEvents(let report), .json):
            // One JSON object per line, as in Branch's files.
            return ("application/x-ndjson", try Self.json(.lines, try await analytics.rows(of: report)))
        case (.cohort(let report), .csv):
            return (csv, try report.csv(try await analytics.rows(of: report), upTo: AnswerBudget.mostBytes))
        case (.cohort(let report), .json):
            return (json, try report.json(try await analytics.rows(of: report), upTo: AnswerBudget.mostBytes))
        }
    }

    /// Fails with `invalid` as soon as the rows are longer than an answer may be.
    private static func json(_ form: JSONRows.Form, _ rows: some Sequence<JSONObject>) throws -> [UInt8] {
        var output = JSONRows(form, upTo: AnswerBudget.mostBytes)
        for row in rows { try output.add(row) }
        output.end()
        return output.bytes
    }
}
