import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The creation of an app by an administrator of all apps. Its secrets are shown only once.
extension Dashboard {
    func newAppPage(_ page: PageRequest) throws -> DashboardAnswer {
        PageView(
            "Create an app", isNarrow: true,
            [
                Block(form: .newApp(FormFields(""))),
                Block(equivalents: Equivalents(command: "linden apps create NAME", call: "POST /api/v1/apps")),
            ]
        ).with(try page.user).answer()
    }

    func createApp(_ page: PageRequest) async throws -> DashboardAnswer {
        let (user, typed) = (try page.user, page.form)
        do {
            var settings: JSONObject = [:]
            if let url = typed.text("web_url") { settings["web_url"] = .string(url) }
            let created = try await services.apps.create(
                NewApp(name: typed["name"], settings: settings, domain: typed.text("domain")))
            let live = Scope(app: created.app.id, mode: .live)
            return PageView(
                "Keep these secrets", isNarrow: true,
                [
                    .success("The app \(created.app.name) was created."),
                    .paragraph(
                        "Copy the secrets to where they are needed now: they are shown only here. Only hashes of them are stored."),
                    Block(facts: .created(created, standardHost: services.baseURL.host)),
                    .buttons([
                        Button(buttonLabel: "To its set-up", buttonHref: PagePath.setUp(live), isMain: true),
                        Button(buttonLabel: "To its settings", buttonHref: PagePath.settings(live)),
                    ]),
                ]
            ).with(user).answer()
        } catch let failure as Failure where failure.isAboutInput {
            return PageView("Create an app", isNarrow: true, [Block].form(.newApp(typed), failure)).with(user)
                .answer(.failed(failure.code))
        }
    }
}

extension Form {
    fileprivate static func newApp(_ typed: FormFields) -> Form {
        Form(
            PagePath.newApp, submit: "Create the app", cancel: PagePath.root,
            [
                .text("name", "Name", typed["name"], isRequired: true, hasFocus: true),
                .text(
                    "web_url", "Web address", typed["web_url"], type: "url",
                    hint:
                        "Where visitors are led without the app, such as https://orchard.example.com/. Further settings follow later."
                ),
                .text(
                    "domain", "Domain of its links", typed["domain"],
                    hint: "A host that leads to this server. Empty: the host of the base URL, which all such apps share."),
            ])
    }
}

extension Facts {
    fileprivate static func created(_ created: CreatedApp, standardHost: String) -> Facts {
        let labels = [
            "app_id": "App id", "branch_key": "Live key", "branch_secret": "Live secret", "test_branch_key": "Test key",
            "test_branch_secret": "Test secret", "short_url_domain": "Host of its links",
        ]
        return Facts(
            created.view(standardHost: standardHost).map { name, value in
                (name: labels[name] ?? name, cell: Cell.code(value.string ?? ""))
            })
    }
}
