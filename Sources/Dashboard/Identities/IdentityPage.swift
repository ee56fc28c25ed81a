import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// The users of an app: one is looked up by the developer's id, by its reference or by the identity token of the SDK.
extension Dashboard {
    func identitiesPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let (path, typed) = (PagePath.identities(app.scope), page.query.exact("identity"))
        let search = Form(
            path, method: "get", submit: "Look up",
            [.text("identity", "The user's id in your app, or an identity_id", typed, type: "search")])
        var view = PageView("Identities", lead: "What is stored about one user of the app.", [Block(filter: search)])
        var outcome = DashboardAnswer.Outcome.found
        if !typed.isEmpty {
            do {
                let identity = try await lookUpIdentity(typed, in: app.scope)
                let timeline = try await services.people.timeline(of: identity)
                let captions = try await services.analytics.captions(of: timeline.linkValues, in: app.scope)
                view.blocks += .identity(
                    try await services.people.summary(of: identity).view(services.publicIDs), of: app, for: user.role,
                    timeline: .timeline(timeline, captions, of: app.scope, services.publicIDs))
            } catch let failure as Failure where failure.code == .notFound {
                view.blocks.append(.problem(failure.message))
                outcome = .failed(.notFound)
            }
        } else {
            view.blocks.append(
                Block(
                    equivalents: Equivalents(
                        command: "linden identities show ID --app \(app.key.branchKey)",
                        call: "GET " + PagePath.query("/api/v1/identities/ID", [("app", app.key.branchKey)]))))
        }
        return view.of(app, user, section: path).answer(outcome)
    }
}

extension [Block] {
    /// What is stored about a user of the app.
    ///
    /// - Parameters:
    ///   - view: the user, as over HTTP.
    ///   - timeline: what happened, newest first.
    static func identity(_ view: JSONObject, of app: AppContext, for role: DashboardUser.Role, timeline: Table) -> [Block] {
        func count(_ name: String) -> String { (view[name]?.int64 ?? 0).grouped }
        func session(_ name: String) -> Cell? {
            guard let session = view[name]?.object, let id = session["session_id"]?.string, let time = session["started_at"]?.string
            else {
                return nil
            }
            var cell = Cell.time(time)
            cell.cellHref = PagePath.sessions(app.scope) + "/" + id
            return cell
        }
        let id = view["identity_id"]?.string ?? ""
        var facts: [(name: String, cell: Cell)] = [
            ("Id in the app", Cell(view["developer_identity"]?.string?.withVisibleSpace ?? "none: an anonymous user")),
            ("Id in Linden", .code(id)), ("Created", .time(view["created_at"]?.string ?? "")),
        ]
        if let first = session("first_session") { facts.append(("First session", first)) }
        if let last = session("last_session") { facts.append(("Last session", last)) }
        let devices = (view["devices"]?.array ?? []).compactMap(\.object).map { device in
            [
                Cell(device["os"]?.string ?? ""), Cell(device["model"]?.string ?? ""),
                Cell(device["browser"]?.bool == true ? "browser" : "app"), Cell.code(device["device_id"]?.string ?? ""),
            ]
        }
        let links: [Button] = [
            Button(buttonLabel: "Credits", buttonHref: PagePath.query(PagePath.credits(app.scope), [("identity", id)]))
        ]
        var blocks: [Block] = [
            .cards([
                Card(cardLabel: "Sessions", cardValue: count("sessions")),
                Card(cardLabel: "Referred installs", cardValue: count("referred_installs")),
            ]),
            Block(facts: Facts(facts)),
            Block(
                table: Table(
                    "Devices", ["System", "Model", "Kind", "Id"].map { Table.Column(columnLabel: $0) }, devices,
                    isCaptionVisible: true)),
            .buttons(links),
        ]
        if !timeline.rows.isEmpty {
            blocks += [
                Block(table: timeline),
                .paragraph(
                    "The newest \(IdentityTimeline.mostEntries) at most, from the newest \(IdentityTimeline.mostSessions) sessions, with the "
                        + "clicks that led to them and the events of the half hour after each. A copy of the user's data has all."),
            ]
        }
        if Access.appAdministrators.admits(role) {
            blocks += [
                .heading("Privacy"), .paragraph("A user may ask for a copy of all data, or to have it erased."),
                Block(form: Form(PagePath.identities(app.scope) + "/export", submit: "Request a copy", [.hidden("identity", id)])),
                .buttons([
                    Button(
                        buttonLabel: "Erase the user",
                        buttonHref: PagePath.query(PagePath.identities(app.scope) + "/erase", [("identity", id)]))
                ]),
            ]
        }
        let key = app.key.branchKey
        return blocks + [
            Block(
                equivalents: Equivalents(
                    command: """
                        linden identities show \(id) --app \(key)
                        linden identities export \(id) --app \(key)
                        linden identities erase \(id) --app \(key)
                        """,
                    call: "GET /api/v1/identities/\(id)?app=\(key)\nPOST /v1/gdpr?app_id=\(app.app.id)"))
        ]
    }
}
