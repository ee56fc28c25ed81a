import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// Questions about an app's figures: a chart, the same figures in a table, and a file.
extension Dashboard {
    /// The maximum length of a file in bytes, as over HTTP.
    private static let mostBytes = 8 << 20
    private static let rowsShown = 500

    func analyticsPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let (path, choice) = (PagePath.analytics(app.scope), AnalyticsChoice(page.query))
        let form = Form.analytics(path, choice)
        var view = PageView(
            "Analytics", lead: choice.question.meaning,
            [
                Block(
                    tabs: Tabs(
                        "Question",
                        AnalyticsQuestion.allCases.map {
                            ($0.title, choice.path(path, asking: $0), $0 == choice.question)
                        })),
                Block(
                    tabs: Tabs(
                        "Time",
                        AnalyticsChoice.presets.map { label, from in
                            (label, choice.path(path, from: from), isCurrent(from, choice))
                        })),
            ])
        var outcome = DashboardAnswer.Outcome.found
        do {
            let reply = try await services.analytics.reply(to: choice.question, try choice.parameters(), of: app.scope)
            view.blocks.append(Block(filter: form))
            view.blocks += blocks(reply, choice, app)
        } catch let failure as Failure where failure.code != .notFound {
            let atField = form.saying(failure.message)
            if atField == nil { view.blocks.append(.problem(failure.message)) }
            view.blocks.append(Block(filter: atField ?? form))
            outcome = .failed(failure.code, retryAfter: failure.retryAfter)
        }
        view.blocks.append(Block(equivalents: .analytics(choice, app.key.branchKey)))
        return view.of(app, user, section: path).answer(outcome)
    }

    /// The rows of the same question as CSV.
    func analyticsFile(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, choice) = (try page.app, AnalyticsChoice(page.query))
        let reply = try await services.analytics.reply(to: choice.question, try choice.parameters(), of: app.scope)
        return DashboardAnswer(
            contentType: "text/csv; charset=utf-8", body: try reply.csv(upTo: Self.mostBytes),
            fileName: "\(choice.question.rawValue).csv")
    }

    private func isCurrent(_ from: String, _ choice: AnalyticsChoice) -> Bool {
        choice.value("to").isEmpty && from == (choice.value("from").isEmpty ? "30d" : choice.value("from"))
    }

    private func blocks(_ reply: AnalyticsReply, _ choice: AnalyticsChoice, _ app: AppContext) -> [Block] {
        let rows = reply.rowViews
        var blocks = reply.warnings.map { Block.note($0) }
        if let since = reply.missing.keptSince {
            blocks.append(.note("Rows before \(since.iso8601) are deleted, and missing here."))
        }
        if reply.missing.erased > 0 {
            blocks.append(.note("\(reply.missing.erased.grouped) rows were erased by privacy requests, and are missing here."))
        }
        if reply.isEstimated { blocks.append(.note("Numbers of devices over several days are estimates.")) }
        guard !rows.isEmpty else {
            return blocks + [
                Block(
                    empty: EmptyState(
                        emptyTitle: "No rows",
                        emptyText: "Nothing of this kind was recorded in the time. Choose a longer one, or remove a filter."))
            ]
        }
        if let figure = reply.figure(titled: choice.question.title) { blocks.append(Block(figure: figure)) }
        blocks.append(Block(table: .analytics(rows.prefix(Self.rowsShown), choice.question.title, app.scope)))
        let total = reply.totalRows ?? rows.count
        if rows.count > Self.rowsShown {
            blocks.append(
                .paragraph("The first \(Self.rowsShown) of \(Int64(rows.count).grouped) rows are shown. The file has all."))
        } else if total > rows.count {
            blocks.append(.paragraph("\(Int64(rows.count).grouped) of \(Int64(total).grouped) rows. A higher limit gives more."))
        }
        return blocks + [
            .buttons([
                Button(buttonLabel: "Download as CSV", buttonHref: choice.path(PagePath.analytics(app.scope) + ".csv"))
            ]), .paragraph("The address of this page has the whole question, for a bookmark or for other users of the dashboard."),
        ]
    }
}

extension Equivalents {
    fileprivate static func analytics(_ choice: AnalyticsChoice, _ key: String) -> Equivalents {
        let options = choice.shared.map { " --\($0.name.replacing("_", with: "-")) \($0.value.shellQuoted)" }.joined()
        return Equivalents(
            command: "linden query \(choice.question.rawValue) --app \(key)\(options)",
            call: "GET " + PagePath.query("/api/v1/analytics/\(choice.question.rawValue)", [("app", key)] + choice.shared))
    }
}
