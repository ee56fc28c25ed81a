import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// Questions that are shared: created, listed and revoked by editors, and answered to anyone with the address.
extension Dashboard {
    func sharedQuestionsPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let path = PagePath.shares(app.scope)
        let shared = try await services.sharedQuestions.list(app.scope)
        var blocks: [Block] = page.query["saved"] == "revoked" ? [.success("The address is not valid any more.")] : []
        blocks.append(
            shared.isEmpty
                ? Block(
                    empty: EmptyState(
                        emptyTitle: "Nothing is shared",
                        emptyText: "Ask a question of the analytics, and share it by an address that needs no sign-in.",
                        emptyHref: PagePath.analytics(app.scope), emptyAction: "To the analytics"))
                : Block(table: .shared(shared, in: path)))
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: "linden shares list --app \(app.key.branchKey)\nlinden shares revoke ID --app \(app.key.branchKey)",
                    call: "GET /api/v1/shares?app=\(app.key.branchKey)\nDELETE /api/v1/shares/ID?app=\(app.key.branchKey)")))
        return PageView(
            "Shared questions", lead: "Anyone with such an address sees the answer, until it expires or you revoke it.", blocks
        ).of(app, user, section: PagePath.analytics(app.scope)).answer()
    }

    func newSharedQuestionPage(_ page: PageRequest) throws -> DashboardAnswer {
        let (app, query) = (try page.app, AnalyticsChoice(page.query).sharedQuery)
        let key = app.key.branchKey
        return try formPage(
            page, "Share a question", lead: "Anyone with the address sees the answer as of that moment, without signing in.",
            Self.form(app.scope, query: query), section: PagePath.analytics(app.scope),
            following: [
                Block(
                    equivalents: Equivalents(
                        command: "linden shares create TITLE \(query.shellQuoted) --days 7 --app \(key)",
                        call: "POST /api/v1/shares?app=\(key)"))
            ])
    }

    func shareQuestion(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user, typed) = (try page.app, try page.user, page.form)
        let section = PagePath.analytics(app.scope)
        do {
            guard let days = Int(typed["days"]) else { throw Failure.invalid("days must be a whole number.") }
            let (shared, secret) = try await services.sharedQuestions.create(
                typed["query"], title: typed["title"], days: days, by: user, in: app.scope)
            return PageView(
                "Send this address", isNarrow: true,
                [
                    .success("\(shared.title) is shared."),
                    .paragraph("It is shown only here. Anyone who has it sees the answer: send it only to those who may."),
                    Block(
                        facts: Facts([
                            ("Address", .code(invitationBase + SharedQuestion.path(secret))),
                            ("Expires", .time(shared.expiresAt.iso8601)),
                        ])), .buttons([Button(buttonLabel: "To the shared questions", buttonHref: PagePath.shares(app.scope))]),
                ]
            ).of(app, user, section: section).answer()
        } catch let failure as Failure where failure.isAboutInput || failure.code == .forbidden {
            let form = Self.form(app.scope, query: typed["query"], title: typed["title"], days: typed["days"])
            return try formPage(page, "Share a question", form, failure, section: section)
        }
    }

    func revokeSharedQuestion(_ page: PageRequest) async throws -> DashboardAnswer {
        let scope = try page.app.scope
        guard let id = Int64(page.parameter("share")),
            try await services.sharedQuestions.revoke(SharedQuestion.ID(rawValue: id), in: scope)
        else { throw Failure.notFound("There is no such shared question.") }
        return .seeOther(PagePath.shares(scope) + "?saved=revoked")
    }

    private static func form(
        _ scope: Scope, query: String, title: String = "", days: String = String(SharedQuestion.standardDays)
    ) -> Form {
        let choices = [1, 7, 30, 90].map { (value: String($0), label: $0 == 1 ? "1 day" : "\($0) days") }
        return Form(
            PagePath.shares(scope), submit: "Share it", cancel: PagePath.analytics(scope) + (query.isEmpty ? "" : "?" + query),
            [
                .hidden("query", query),
                .text(
                    "title", "Title", title, hint: "The heading of the page, such as Installs of this month.", isRequired: true,
                    hasFocus: true),
                .choice("days", "Valid for", days, choices),
            ])
    }

    // MARK: The answer

    /// The answer at an address without signing in. It says nothing of the dashboard and its users.
    func sharedQuestionPage(_ page: PageRequest) async throws -> DashboardAnswer {
        do {
            guard let shared = try await services.sharedQuestions.find(page.parameter("secret")),
                let app = try await services.directory.app(scope: shared.scope)
            else { throw Failure.notFound("There is no such page: its address has expired, was revoked, or is not complete.") }
            return try await sharedPages.page(of: shared.id, app.app.id, at: services.clock.now()) { try await answer(shared, app) }
        } catch let failure as Failure {
            var answer = PageView("Not found", isNarrow: true, [.problem(failure.message)])
                .answer(.failed(failure.code, retryAfter: failure.retryAfter))
            answer.isShared = true
            return answer
        }
    }

    private func answer(_ shared: SharedQuestion, _ app: AppContext) async throws -> DashboardAnswer {
        let (question, reply) = try await services.sharedQuestions.answer(shared)
        return try await pageTurns.run(of: app.app.id) { page(of: shared, app, question, reply) }
    }

    private func page(
        of shared: SharedQuestion, _ app: AppContext, _ question: AnalyticsQuestion, _ reply: AnalyticsReply
    ) -> DashboardAnswer {
        let side = shared.scope.mode == .test ? ", test" : ""
        var view = PageView(
            shared.title, lead: "\(app.app.name)\(side). \(question.meaning)",
            Self.blocks(of: reply, reply.rowViews(upTo: Self.figureRowsShown), titled: question.title))
        view.blocks.append(
            .paragraph(
                "As of \(services.clock.now().iso8601.prefix(16).replacing("T", with: " ")) UTC; the page is updated each minute. It is "
                    + "shown until \(shared.expiresAt.iso8601.prefix(10))."))
        view.place = app.app.name
        var answer = view.answer()
        answer.isShared = true
        return answer
    }
}

extension Table {
    fileprivate static func shared(_ questions: [SharedQuestion], in path: String) -> Table {
        Table(
            "Shared questions", ["Title", "Question", "By", "Created", "Expires", "Revoke"].map { Column(columnLabel: $0) },
            questions.map { shared in
                [
                    Cell(shared.title), Cell(shared.query.replacing("&", with: " ")), Cell(shared.creator ?? "a program"),
                    .time(shared.createdAt.iso8601), .time(shared.expiresAt.iso8601),
                    .actions([
                        CellAction(
                            actionPath: "\(path)/\(shared.id)/revoke", actionLabel: "Revoke",
                            actionDescription: "Revoke the address of \(shared.title)")
                    ]),
                ]
            })
    }
}
