import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The users of the dashboard: invited, reset, disabled and enabled. The address for setting a password is shown only once.
extension Dashboard {
    func usersPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let users = try await services.dashboardUsers.list()
        let names = try await appNames()
        let rows = users.map { user in
            [
                Cell(user.name, href: PagePath.user(user.id)), Cell(user.role.rawValue), Cell(user.scopeText(names)),
                Cell(user.status.rawValue), user.lastSignInAt.map { .time($0.iso8601) } ?? Cell("never"),
            ]
        }
        let columns = ["Name", "Role", "Apps", "Status", "Last sign-in"].map { Table.Column(columnLabel: $0) }
        return PageView(
            "Users",
            [
                .buttons([Button(buttonLabel: "Invite a user", buttonHref: PagePath.users + "/new", isMain: true)]),
                Block(table: Table("Users", columns, rows)),
                Block(equivalents: Equivalents(command: "linden users list", call: "GET /api/v1/users\nPOST /api/v1/users")),
            ]
        ).with(try page.user).answer()
    }

    func newUserPage(_ page: PageRequest) async throws -> DashboardAnswer {
        PageView(
            "Invite a user", isNarrow: true,
            [
                Block(form: try await invitation(FormFields("role=analyst"))),
                Block(equivalents: Equivalents(command: "linden users create NAME --role analyst", call: "POST /api/v1/users")),
            ]
        ).with(try page.user).answer()
    }

    func inviteUser(_ page: PageRequest) async throws -> DashboardAnswer {
        let form = page.form
        do {
            guard let role = DashboardUser.Role(rawValue: form["role"]) else { throw Failure.invalid("role must be chosen.") }
            let app = try await form.text("app").asyncMap { try await services.apps.scope(of: $0).app }
            let (user, secret) = try await services.dashboardUsers.create(name: form["name"], role: role, app: app)
            return invited(user, secret, "\(user.name) was invited.", by: try page.user)
        } catch let failure as Failure where [.invalid, .conflict].contains(failure.code) {
            return PageView("Invite a user", isNarrow: true, [Block].form(try await invitation(form), failure)).with(try page.user)
                .answer(.failed(failure.code))
        }
    }

    func userPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (shown, own) = (try await user(page), try page.user)
        let path = PagePath.user(shown.id)
        var facts: [(name: String, cell: Cell)] = [
            ("Role", Cell(shown.role.rawValue)), ("Apps", Cell(shown.scopeText(try await appNames()))),
            ("Status", Cell(shown.status.rawValue)), ("Signs in by", Cell(shown.signInText)),
            ("Created", .time(shown.createdAt.iso8601)),
        ]
        if let time = shown.lastSignInAt { facts.append(("Last sign-in", .time(time.iso8601))) }
        var blocks = [Block(facts: Facts(facts))]
        if shown.id == own.id {
            blocks.append(.note("This is you. Another administrator, or linden users, can reset or disable you."))
        } else if shown.status == .disabled {
            blocks.append(Block(form: Form(path + "/enable", submit: "Enable", [])))
        } else {
            blocks += [
                .heading("Reset"),
                .paragraph(
                    "Removes the password and the second factor, ends all sessions, and shows an address for setting a new password."
                ),
                Block(form: Form(path + "/reset", submit: "Reset", [])), .heading("Disable"),
                .paragraph("Ends all sessions. The user cannot sign in until you enable it again."),
                Block(form: Form(path + "/disable", submit: "Disable", isDangerous: true, [])),
            ]
        }
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: "linden users reset \(shown.name.shellQuoted)\nlinden users disable \(shown.name.shellQuoted)",
                    call: "PATCH /api/v1/users/\(shown.id.rawValue)")))
        return PageView(shown.name, isNarrow: true, blocks).with(own).answer()
    }

    func resetUser(_ page: PageRequest) async throws -> DashboardAnswer {
        let (user, secret) = try await services.dashboardUsers.reset(try await otherUser(page).id)
        return invited(user, secret, "The password of \(user.name) was removed.", by: try page.user)
    }

    func disableUser(_ page: PageRequest) async throws -> DashboardAnswer {
        .seeOther(PagePath.user(try await services.dashboardUsers.disable(try await otherUser(page).id).id))
    }

    func enableUser(_ page: PageRequest) async throws -> DashboardAnswer {
        .seeOther(PagePath.user(try await services.dashboardUsers.enable(try await otherUser(page).id).id))
    }

    // MARK: Parts

    private func user(_ page: PageRequest) async throws -> DashboardUser {
        let id = Int64(page.parameter("user")).map { DashboardUser.ID(rawValue: $0) }
        guard let user = try await services.dashboardUsers.list().first(where: { $0.id == id }) else {
            throw Failure.notFound("There is no such user.")
        }
        return user
    }

    /// Returns the user that the path names. Fails with `forbidden` for the signed-in user, who could not undo the change.
    private func otherUser(_ page: PageRequest) async throws -> DashboardUser {
        let user = try await user(page)
        guard user.id != (try page.user).id else { throw Failure(.forbidden, "You cannot change yourself.") }
        return user
    }

    /// The page with the address for setting a password, which is in this response only.
    private func invited(_ user: DashboardUser, _ secret: String, _ message: String, by own: DashboardUser) -> DashboardAnswer {
        let address = invitationBase + DashboardUser.setUpPath(secret)
        return PageView(
            "Send this address", isNarrow: true,
            [
                .success(message),
                .paragraph(
                    "Give it to \(user.name) alone: with it the password is set. It works once, for 7 days, and is shown only here."
                ),
                Block(facts: Facts([("Address", .code(address))])),
                .buttons([Button(buttonLabel: "To the users", buttonHref: PagePath.users)]),
            ]
        ).with(own).answer()
    }

    private func invitation(_ typed: FormFields) async throws -> Form {
        let apps = try await services.apps.list().map { (value: String($0.app.id.rawValue), label: $0.app.name) }
        let roles = [
            ("admin", "admin: reads and changes everything"), ("editor", "editor: reads everything, changes links, shares figures"),
            ("analyst", "analyst: reads totals, reports and links"), ("support", "support: looks up links, sessions and users"),
        ]
        return Form(
            PagePath.users, submit: "Invite", cancel: PagePath.users,
            [
                .text(
                    "name", "Name", typed["name"], hint: "To sign in with, such as an e-mail address.", isRequired: true,
                    hasFocus: true),
                .choice("role", "Role", typed["role"], roles.map { (value: $0.0, label: $0.1) }),
                .choice("app", "Apps", typed["app"], [(value: "", label: "all apps")] + apps),
            ])
    }

    private func appNames() async throws -> [App.ID: String] {
        Dictionary(try await services.apps.list().map { ($0.app.id, $0.app.name) }, uniquingKeysWith: { $1 })
    }
}

extension DashboardUser {
    fileprivate var signInText: String {
        let password = hasSecondFactor ? "a password and a code" : "a password"
        let ways = [hasPassword ? password : nil, hasProvider ? "an account of the OpenID provider" : nil].compactMap { $0 }
        return ways.isEmpty ? "nothing yet" : ways.joined(separator: ", or ")
    }

    fileprivate func scopeText(_ names: [App.ID: String]) -> String { app.map { names[$0] ?? "a deleted app" } ?? "all apps" }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ body: (Wrapped) async throws -> Result) async throws -> Result? {
        guard let value = self else { return nil }
        return try await body(value)
    }
}
