import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// Questions about an app's figures: a chart, the same figures in a table, and a file.
extension Dashboard {
    /// The maximum length of a file in bytes, as over HTTP.
    private static let mostBytes = 8 << 20
    /// The most rows of a table, and about the most cells: a page takes a tenth of a second at most.
    static let (figureRowsShown, figureCellsShown) = (500, 2500)

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
            let parameters = try choice.parameters(for: user)
            let question = "analytics \(choice.question) \(choice.compares) \(parameters)"
            let analytics = services.analytics
            let reply = try await recentAnswers.answer(
                to: question, of: app.scope, size: \.byteCost, inTurn: { try await analytics.inTurn(of: app.scope, $0) }
            ) {
                try await analytics.reply(to: choice.question, parameters, of: app.scope, compares: choice.compares)
            }
            view.blocks.append(Block(filter: form))
            let rows = reply.rowViews(upTo: Self.figureRowsShown)
            view.blocks += try await pageTurns.run(of: app.scope.app) {
                Self.blocks(
                    of: reply, rows, titled: choice.question.title, linksIn: app.scope, compares: choice.compares,
                    stacks: choice.stacks)
            }
            if !rows.isEmpty { view.blocks.append(actions(choice, app.scope, user)) }
        } catch let failure as Failure where failure.code != .notFound {
            let atField = form.saying(failure)
            if atField == nil { view.blocks.append(.problem(failure.message)) }
            view.blocks.append(Block(filter: atField ?? form))
            outcome = .failed(failure.code, retryAfter: failure.retryAfter)
        }
        view.blocks.append(
            .paragraph("The address of this page has the whole question, for a bookmark or for other users of the dashboard."))
        view.blocks.append(Block(equivalents: .analytics(choice, app.key.branchKey)))
        let (page, found) = (view.of(app, user, section: path), outcome)
        return try await pageTurns.run(of: app.scope.app) { page.answer(found) }
    }

    /// The rows of the same question as CSV.
    func analyticsFile(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, choice) = (try page.app, AnalyticsChoice(page.query))
        let parameters = try choice.parameters(for: try page.user)
        let analytics = services.analytics
        let file = try await analytics.inTurn(of: app.scope) {
            try await analytics.reply(to: choice.question, parameters, of: app.scope).csv(upTo: Self.mostBytes)
        }
        return DashboardAnswer(
            contentType: "text/csv; charset=utf-8", body: file, fileName: "\(choice.question.rawValue).csv")
    }

    private func isCurrent(_ from: String, _ choice: AnalyticsChoice) -> Bool {
        choice.value("to").isEmpty && from == (choice.value("from").isEmpty ? "30d" : choice.value("from"))
    }

    /// The notes, the chart and the table of a reply.
    ///
    /// - Parameters:
    ///   - rows: the first ones of the reply, see ``AnalyticsReply/rowViews(upTo:)``.
    ///   - scope: nil for people who do not sign in: links do not lead to their pages then, and there is no file.
    ///   - compares: whether the period before was asked for, too.
    ///   - stacks: whether the lines of the chart stand on one another.
    static func blocks(
        of reply: AnalyticsReply, _ rows: [JSONObject], titled title: String, linksIn scope: Scope? = nil, compares: Bool = false,
        stacks: Bool = false
    ) -> [Block] {
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
                        emptyText: "Nothing of this kind was recorded in the time."
                            + (scope == nil ? "" : " Choose a longer one, or remove a filter.")))
            ]
        }
        if let figure = reply.figure(titled: title, stacks: stacks) { blocks.append(Block(figure: figure)) }
        let columns = rows.map { $0.count + ($0["retained"]?.array?.count ?? 0) }.max() ?? 1
        let shown = min(Self.figureRowsShown, Self.figureCellsShown / max(1, columns))
        var table = Table.analytics(rows.prefix(shown), title, scope)
        if let comparisons = reply.comparisons, let aggregation = reply.countedRows?.query.aggregation {
            table.add(comparisons, of: aggregation)
        } else if compares {
            blocks.append(.note("The period before has too many rows to be compared with."))
        }
        blocks.append(Block(table: table))
        let (count, total) = (Int64(reply.rowCount).grouped, reply.totalRows ?? reply.rowCount)
        if reply.rowCount > shown {
            let more = scope == nil ? "" : " The file has all."
            blocks.append(.paragraph("The first \(shown) of \(count) rows are shown." + more))
        } else if total > reply.rowCount {
            let more = scope == nil ? "" : " A higher limit gives more."
            blocks.append(.paragraph("\(count) of \(Int64(total).grouped) rows." + more))
        }
        return blocks
    }

    /// What can be done with an answer.
    private func actions(_ choice: AnalyticsChoice, _ scope: Scope, _ user: DashboardUser) -> Block {
        var buttons = [Button(buttonLabel: "Download as CSV", buttonHref: choice.path(PagePath.analytics(scope) + ".csv"))]
        if Access.questionSharers.admits(user.role) {
            buttons.append(Button(buttonLabel: "Share", buttonHref: choice.path(PagePath.shares(scope) + "/new")))
            buttons.append(Button(buttonLabel: "Shared questions", buttonHref: PagePath.shares(scope)))
        }
        return .buttons(buttons)
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
