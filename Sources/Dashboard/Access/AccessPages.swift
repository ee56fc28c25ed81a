import LindenAPI
import LindenKernel
import LindenServices

/// Setting a password, signing in and signing out.
extension Dashboard {
    func asset(_ page: PageRequest) throws -> DashboardAnswer {
        guard let asset = Asset.all.first(where: { $0.fileName == page.parameter("file") }) else {
            throw Failure.notFound("There is no such file.")
        }
        return DashboardAnswer(contentType: asset.contentType, body: asset.bytes, isImmutable: true)
    }

    // MARK: Signing in

    func signInPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let to = PagePath.returning(to: page.query["to"]) ?? ""
        if let secret = page.request.sessionSecret, try await services.dashboardUsers.session(secret) != nil {
            return .seeOther(to.isEmpty ? PagePath.root : to)
        }
        let notice: [Block] = to.isEmpty ? [] : [.note("Please sign in to go on.")]
        return PageView("Sign in", isNarrow: true, notice + signInBlocks(to: to)).answer()
    }

    /// Starts a session, always with a new secret, so that one that another person has put into the browser is worth nothing.
    func signIn(_ page: PageRequest) async throws -> DashboardAnswer {
        let form = page.form
        let (name, to) = (form["name"], PagePath.returning(to: form["to"]) ?? "")
        do {
            let (_, secret) = try await services.dashboardUsers.signIn(
                name: name, password: form.exact("password"), from: page.request.address)
            return try await signedIn(page, secret, to: to)
        } catch let needed as SecondFactorNeeded {
            return codePage(ticket: needed.ticket, to: to)
        } catch let failure as Failure {
            return failedSignIn(failure, name: name, to: to)
        }
    }

    /// Gives the browser a new session in place of the one that it had, and leads to the page that it asked for.
    func signedIn(_ page: PageRequest, _ secret: String, to: String = "") async throws -> DashboardAnswer {
        if let former = page.request.sessionSecret { try await services.dashboardUsers.signOut(former) }
        var answer = DashboardAnswer.seeOther(to.isEmpty ? PagePath.root : to)
        answer.cookies = [SessionCookie.setting(secret, isSecure: page.request.isSecure)]
        return answer
    }

    /// The sign-in page with the reason why an attempt failed.
    func failedSignIn(_ failure: Failure, name: String = "", to: String) -> DashboardAnswer {
        PageView("Sign in", isNarrow: true, [.problem(failure.message)] + signInBlocks(name: name, to: to))
            .answer(.failed(failure.code, retryAfter: failure.retryAfter))
    }

    private func signInBlocks(name: String = "", to: String) -> [Block] {
        guard let provider = services.dashboardUsers.provider else { return [.signInForm(name: name, to: to)] }
        let href = PagePath.query(PagePath.providerSignIn, [("to", to)])
        let button = Block.buttons([Button(buttonLabel: "Sign in with \(provider.name)", buttonHref: href, isMain: true)])
        guard services.dashboardUsers.acceptsSignIns else { return [button] }
        return [button, .heading("With a password"), .signInForm(name: name, to: to)]
    }

    // MARK: Setting a password

    func setUpPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let user = try await services.dashboardUsers.user(settingUpWith: page.parameter("secret"))
        return PageView.setUp(user, page.parameter("secret")).answer()
    }

    func setUp(_ page: PageRequest) async throws -> DashboardAnswer {
        let (secret, form) = (page.parameter("secret"), page.form)
        let user = try await services.dashboardUsers.user(settingUpWith: secret)
        OperatorCall.identify(.user(user), action: "POST \(PagePath.root)/set-up/{secret}")
        let password = form.exact("password")
        guard password == form.exact("repeated") else {
            return PageView.setUp(user, secret, problem: ("repeated", "The two passwords differ.")).answer(.failed(.invalid))
        }
        do {
            _ = try await services.dashboardUsers.setPassword(password, with: secret)
        } catch let failure as Failure where failure.code == .invalid {
            return PageView.setUp(user, secret, problem: ("password", failure.message)).answer(.failed(failure.code))
        }
        // The person knows the password now, so need not type it a second time, unless the network has failed to sign in too often.
        guard
            let session = try? await services.dashboardUsers.signIn(
                name: user.name, password: password, from: page.request.address
            ).secret
        else { return .seeOther(PagePath.signIn) }
        return try await signedIn(page, session)
    }

    // MARK: Signing out

    func signOut(_ page: PageRequest) async throws -> DashboardAnswer {
        if let secret = page.request.sessionSecret { try await services.dashboardUsers.signOut(secret) }
        return signedOut(page)
    }

    func signOutEverywhere(_ page: PageRequest) async throws -> DashboardAnswer {
        try await services.dashboardUsers.signOutEverywhere(page.user.id)
        return signedOut(page)
    }

    private func signedOut(_ page: PageRequest) -> DashboardAnswer {
        var answer = DashboardAnswer.seeOther(PagePath.signIn)
        answer.cookies = [SessionCookie.removing(isSecure: page.request.isSecure)]
        return answer
    }
}

extension Block {
    fileprivate static func signInForm(name: String = "", to: String) -> Block {
        Block(
            form: Form(
                PagePath.signIn, submit: "Sign in",
                [
                    .hidden("to", to),
                    .text("name", "Name", name, autocomplete: "username", isRequired: true, hasFocus: name.isEmpty),
                    .text(
                        "password", "Password", type: "password", autocomplete: "current-password", isRequired: true,
                        hasFocus: !name.isEmpty),
                ]))
    }
}

extension PageView {
    fileprivate static func setUp(_ user: DashboardUser, _ secret: String, problem: (field: String, message: String)? = nil)
        -> PageView
    {
        let form = Form(
            DashboardUser.setUpPath(secret), submit: "Set the password and sign in",
            [
                // Lets password managers store the name with the password. It is not read.
                .text("name", "Name", user.name, autocomplete: "username"),
                .text(
                    "password", "Password", type: "password", hint: "12 characters or more. A sentence is easy to remember.",
                    autocomplete: "new-password", isRequired: true, hasFocus: true),
                .text("repeated", "The password once more", type: "password", autocomplete: "new-password", isRequired: true),
            ])
        let shown = problem.map { form.saying($0.message, at: $0.field) } ?? form
        return PageView(
            "Choose a password", lead: "For \(user.name), role \(user.role.rawValue).", isNarrow: true, [Block(form: shown)])
    }
}
