import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// Requests of data subjects about one user of the app: a copy of the stored data, or its erasure.
extension Dashboard {
    /// Stores a request for a copy of a user's data, and leads to its page.
    func requestPersonalData(_ page: PageRequest) async throws -> DashboardAnswer {
        let scope = try page.app.scope
        return try await ask(.access, about: try await appUser(page.form.exact("identity"), in: scope), in: scope)
    }

    func erasurePage(_ page: PageRequest) async throws -> DashboardAnswer {
        let scope = try page.app.scope
        let user = try await appUser(page.query.exact("identity"), in: scope)
        return try formPage(
            page, "Erase the user", Confirmation.erasure(of: user, scope).form(), section: PagePath.identities(scope))
    }

    func requestErasure(_ page: PageRequest) async throws -> DashboardAnswer {
        let scope = try page.app.scope
        let user = try await appUser(page.form.exact("identity"), in: scope)
        return try await confirmed(
            page, .erasure(of: user, scope), title: "Erase the user", section: PagePath.identities(scope)
        ) {
            try await ask(.erasure, about: user, in: scope)
        }
    }

    func privacyRequestPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let request = try await request(page)
        let key = app.key.branchKey
        let isDone = request.doneAt != nil
        var blocks = [
            Block(
                facts: Facts([
                    ("Kind", Cell(request.kind == .access ? "copy of the data" : "erasure")),
                    ("Requested", .time(request.id.time.iso8601)),
                    ("State", Cell(isDone ? "done" : "waiting")), ("Id", .code(request.handle)),
                ]))
        ]
        if request.kind == .erasure {
            blocks.append(
                isDone
                    ? .success("The user's rows are erased. Totals stay.")
                    : .note(
                        "The erasure runs in the background, and is retried after a failure. Reload this page to see its state."
                    ))
        } else if try await services.subjectRequests.signedFile(of: request) != nil {
            blocks.append(
                .buttons([
                    Button(
                        buttonLabel: "Download as CSV",
                        buttonHref: "\(PagePath.privacy(app.scope))/\(request.handle)/download", isMain: true)
                ]))
            blocks.append(
                .paragraph("The file can be downloaded for \(ExportService.downloadDays) days, and is read at each download."))
        } else {
            blocks.append(.note("The file is not available any more."))
        }
        blocks.append(.buttons([Button(buttonLabel: "To the users of the app", buttonHref: PagePath.identities(app.scope))]))
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command:
                        "linden identities export ID --app \(key)\nlinden identities erase ID --app \(key)",
                    call: "POST /v1/gdpr?app_id=\(app.app.id)\nPOST /v1/gdpr/status")))
        return PageView("Privacy request", isNarrow: true, blocks).of(app, user, section: PagePath.identities(app.scope)).answer()
    }

    /// Leads to the file with a user's data, whose address is signed.
    func downloadPersonalData(_ page: PageRequest) async throws -> DashboardAnswer {
        guard let file = try await services.subjectRequests.signedFile(of: try await request(page)) else {
            throw Failure.notFound("There is no such file.")
        }
        return .seeOther(services.baseURL.url(ofExport: file))
    }

    // MARK: Parts

    private func ask(_ kind: SubjectRequest.Kind, about user: NamedUser, in scope: Scope) async throws -> DashboardAnswer {
        let subject = DataSubject(kind: .user, value: user.reference)
        let request = try await services.subjectRequests.ask(kind, about: [subject], in: scope)
        return .seeOther("\(PagePath.privacy(scope))/\(request.handle)")
    }

    /// Returns the request that the path names. Fails with `notFound` for one of another app or side.
    private func request(_ page: PageRequest) async throws -> SubjectRequest {
        let request = try await services.subjectRequests.request(page.parameter("request"))
        guard request.scope == (try page.app).scope else { throw Failure.notFound("There is no such request.") }
        return request
    }
}

extension Confirmation {
    fileprivate static func erasure(of user: NamedUser, _ scope: Scope) -> Confirmation {
        Confirmation(
            action: PagePath.identities(scope) + "/erase", submit: "Erase the user",
            cancel: PagePath.identity(user.reference, scope), name: user.confirmation, label: "the user's id",
            consequence: "The devices, sessions, clicks, events and credits of \(user.shown), in Linden \(user.reference), are "
                + "erased permanently. Totals stay.",
            fields: [.hidden("identity", user.reference)])
    }
}
