import Foundation
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// A user's own account: its second factor.
extension Dashboard {
    func accountPage(_ page: PageRequest) async throws -> DashboardAnswer {
        try await accountPage(page, nil)
    }

    private func accountPage(_ page: PageRequest, _ failure: Failure?) async throws -> DashboardAnswer {
        let user = try page.user
        var blocks: [Block] = [
            Block(facts: Facts([("Role", Cell(user.role.rawValue)), ("Second factor", Cell(user.hasSecondFactor ? "on" : "off"))]))
        ]
        if page.query["saved"] == "removed" { blocks.insert(.success("The second factor was turned off."), at: 0) }
        if user.hasSecondFactor {
            let left = try await services.dashboardUsers.recoveryCodes(of: user.id)
            blocks.append(.paragraph("\(left) recovery codes are left. To get new ones, turn it off and set it up again."))
            blocks.append(.heading("Turn the second factor off"))
            let form = Form(PagePath.secondFactor + "/remove", submit: "Turn it off", isDangerous: true, [.ownPassword()])
            blocks += [Block].form(form, failure)
        } else if user.hasPassword {
            blocks.append(
                .paragraph(
                    "With a second factor, a sign-in with your password also asks for a code, which an app on your phone shows. A "
                        + "password that another person has learnt is not enough then."))
            blocks.append(
                .buttons([Button(buttonLabel: "Set up a second factor", buttonHref: PagePath.secondFactor, isMain: true)]))
        } else {
            blocks.append(.paragraph("You sign in by a provider, which may ask for a second factor itself."))
        }
        return PageView(user.name, isNarrow: true, blocks).with(user)
            .answer(failure.map { .failed($0.code, retryAfter: $0.retryAfter) } ?? .found)
    }

    func secondFactorPage(_ page: PageRequest) throws -> DashboardAnswer {
        try secondFactorPage(page, services.dashboardUsers.newSecondFactor(), nil)
    }

    private func secondFactorPage(_ page: PageRequest, _ totp: TOTP, _ failure: Failure?) throws -> DashboardAnswer {
        let user = try page.user
        guard user.hasPassword, !user.hasSecondFactor else { return .seeOther(PagePath.account) }
        let url = totp.url(name: user.name, issuer: "Linden " + services.baseURL.host)
        var blocks: [Block] = [.paragraph("Scan the code with an authenticator app, or type the key into it.")]
        if let image = QRCodeRenderer.svg(of: url) {
            blocks.append(
                Block(
                    picture: Picture(
                        pictureSource: "data:image/svg+xml;base64," + Data(image.utf8).base64EncodedString(),
                        pictureDescription: "QR code of the key below")))
        }
        blocks.append(Block(facts: Facts([("Key", .code(totp.text))])))
        let form = Form(
            PagePath.secondFactor, submit: "Turn it on", cancel: PagePath.account,
            [.hidden("key", totp.text), .oneTimeCode(hint: "Six digits, which the app shows now."), .ownPassword()])
        return PageView("Set up a second factor", isNarrow: true, blocks + [Block].form(form, failure)).with(user)
            .answer(failure.map { .failed($0.code, retryAfter: $0.retryAfter) } ?? .found)
    }

    func setUpSecondFactor(_ page: PageRequest) async throws -> DashboardAnswer {
        let (user, form) = (try page.user, page.form)
        guard let totp = TOTP(text: form["key"]) else { return try secondFactorPage(page) }
        do {
            let codes = try await services.dashboardUsers.setUpSecondFactor(
                totp, code: form["code"], password: form.exact("password"), for: user, from: page.request.address)
            return PageView(
                "Recovery codes", isNarrow: true,
                [
                    .success("The second factor is on."),
                    .paragraph(
                        "Each of these codes signs you in once without the phone. They are not shown again: keep them apart from it."
                    ),
                    Block(table: Table("Recovery codes", [.init(columnLabel: "Code")], codes.map { [.code($0)] })),
                    .buttons([Button(buttonLabel: "I have kept them", buttonHref: PagePath.account, isMain: true)]),
                ]
            ).with(user).answer()
        } catch let failure as Failure where [.invalid, .rateLimited].contains(failure.code) {
            return try secondFactorPage(page, totp, failure)
        }
    }

    func removeSecondFactor(_ page: PageRequest) async throws -> DashboardAnswer {
        do {
            try await services.dashboardUsers.removeSecondFactor(
                password: page.form.exact("password"), of: try page.user, from: page.request.address)
            return .seeOther(PagePath.account + "?saved=removed")
        } catch let failure as Failure where [.invalid, .rateLimited].contains(failure.code) {
            return try await accountPage(page, failure)
        }
    }

    // MARK: Signing in with a code

    /// The page that asks for a code after a right password.
    func codePage(ticket: String, to: String, _ failure: Failure? = nil) -> DashboardAnswer {
        let form = Form(
            PagePath.signInCode, submit: "Sign in", cancel: PagePath.signIn,
            [
                .hidden("ticket", ticket), .hidden("to", to),
                .oneTimeCode(hint: "Six digits of your authenticator app, or a recovery code."),
            ])
        return PageView("Second factor", isNarrow: true, [Block].form(form, failure))
            .answer(failure.map { .failed($0.code, retryAfter: $0.retryAfter) } ?? .found)
    }

    func signInWithCode(_ page: PageRequest) async throws -> DashboardAnswer {
        let form = page.form
        let to = PagePath.returning(to: form["to"]) ?? ""
        do {
            let (_, secret) = try await services.dashboardUsers.endSignIn(
                ticket: form.exact("ticket"), code: form["code"], from: page.request.address)
            return try await signedIn(page, secret, to: to)
        } catch let failure as Failure where failure.code == .gone {
            return failedSignIn(failure, to: to)
        } catch let failure as Failure {
            return codePage(ticket: form.exact("ticket"), to: to, failure)
        }
    }
}

extension Field {
    fileprivate static func ownPassword() -> Field {
        .text("password", "Your password", type: "password", autocomplete: "current-password", isRequired: true)
    }

    fileprivate static func oneTimeCode(hint: String? = nil) -> Field {
        .text("code", "Code", hint: hint, autocomplete: "one-time-code", isRequired: true, hasFocus: true)
    }
}
