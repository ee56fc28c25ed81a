import BranchWire
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// The ordered exports of an app: listed, ordered and downloaded.
extension Dashboard {
    private static let jobsShown = 50

    func exportsPage(_ page: PageRequest) async throws -> DashboardAnswer {
        try await exportsPage(
            page, FormFields("report_type=\(ExportTopic.click.rawValue)&start_date=yesterday&end_date=yesterday"), nil)
    }

    private func exportsPage(_ page: PageRequest, _ typed: FormFields, _ failure: Failure?) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let path = PagePath.exports(app.scope)
        let jobs = try await services.exports.jobs(of: app.scope, limit: Self.jobsShown)
        var blocks: [Block] = []
        if page.query["saved"] == "ordered" {
            blocks.append(.success("The export was ordered. It is ready when its state is complete."))
        }
        blocks.append(
            jobs.isEmpty
                ? Block(
                    empty: EmptyState(
                        emptyTitle: "No export yet",
                        emptyText:
                            "An export has the rows of one topic, such as clicks, with all of Branch's columns. Order one below."
                    ))
                : Block(table: .exports(jobs, in: path)))
        blocks.append(.heading("Order an export"))
        blocks += [Block].form(.export(path, typed), failure)
        let key = app.key.branchKey
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: "linden export --app \(key) --topic \(ExportTopic.click.rawValue) --from yesterday > clicks.csv",
                    call: "GET /api/v1/exports?app=\(key)\nPOST /api/v1/exports?app=\(key)")))
        return PageView(
            "Exports", lead: "Files of rows, newest first. An order is kept for \(ExportService.downloadDays) days.", blocks
        ).of(app, user, section: path).answer(failure.map { .failed($0.code, retryAfter: $0.retryAfter) } ?? .found)
    }

    func orderExport(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, typed) = (try page.app, page.form)
        do {
            var members = typed.members(["report_type", "start_date", "end_date", "timezone", "response_format", "limit"])
            members["fields"] = ["all"]
            let request = try LogsRequest(RequestFields(members), scope: app.scope, at: services.clock.now())
            _ = try await services.exports.order(request.export)
            return .seeOther(PagePath.exports(app.scope) + "?saved=ordered")
        } catch let failure as Failure where failure.isAboutInput || failure.code == .rateLimited {
            return try await exportsPage(page, typed, failure)
        }
    }

    /// Leads to the file of a complete export, whose address is signed.
    func downloadExport(_ page: PageRequest) async throws -> DashboardAnswer {
        let app = try page.app
        let job = try await services.exports.job(page.parameter("job"), of: app.app.id)
        guard job.scope == app.scope, job.state == .complete else { throw Failure.notFound("There is no such complete export.") }
        return .seeOther(services.baseURL.url(ofExport: try await services.exports.signedFile(of: job)))
    }
}

extension Form {
    fileprivate static func export(_ path: String, _ typed: FormFields) -> Form {
        Form(
            path, submit: "Order the export",
            [
                .choice(
                    "report_type", "Topic", typed["report_type"],
                    ExportTopic.current.map {
                        (value: $0.rawValue, label: $0.rawValue.replacing("eo_", with: "").replacing("_", with: " "))
                    }),
                .text(
                    "start_date", "From", typed["start_date"], hint: "A day such as 2027-01-31, or a period such as last-month.",
                    isRequired: true),
                .text("end_date", "To", typed["end_date"], hint: "Its day is included.", isRequired: true),
                .text("timezone", "Time zone", typed["timezone"], hint: "Such as Europe/Berlin. Empty: UTC."),
                .choice(
                    "response_format", "Format", typed["response_format"], [("", "CSV"), ("json", "JSON, one object per line")]),
                .text("limit", "Rows at most", typed["limit"], type: "number", hint: "Empty: 15,000,000."),
            ])
    }
}

extension Table {
    fileprivate static func exports(_ jobs: [ExportJob], in path: String) -> Table {
        Table(
            "Exports",
            [
                Column(columnLabel: "Ordered"), Column(columnLabel: "Topic"), Column(columnLabel: "Time range"),
                Column(columnLabel: "Format"),
                Column(columnLabel: "State"), Column(columnLabel: "Rows", isNumber: true), Column(columnLabel: "File"),
            ],
            jobs.map { job in
                let request = job.request.object ?? [:]
                let times = ["from", "to"].compactMap { request[$0]?.int64.map { Timestamp(milliseconds: $0).iso8601.prefix(16) } }
                let state = "\(job.state)"
                return [
                    .time(job.id.time.iso8601), Cell(request["topic"]?.string ?? ""),
                    Cell(times.map { $0.replacing("T", with: " ") }.joined(separator: " to ")),
                    Cell(request["format"]?.string ?? ""),
                    Cell(state, note: job.failure), .number(job.rows),
                    job.state == .complete ? Cell("download", href: "\(path)/\(job.handle)/download") : Cell(""),
                ]
            })
    }
}
