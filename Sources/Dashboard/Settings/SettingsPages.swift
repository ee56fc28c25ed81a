import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The settings of one side of an app, with their meanings and defaults.
extension Dashboard {
    func settingsPage(_ page: PageRequest) async throws -> DashboardAnswer { try await settingsPage(page, typed: nil, nil) }

    func changeSettings(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, typed) = (try page.app, page.form)
        do {
            let form = try await settings(of: app).form
            let name = app.scope.mode == .live && typed["name"] != typed["was.name"] ? typed["name"] : nil
            // All or nothing: one failure leaves every setting as it was.
            _ = try await services.apps.update(app.scope, name: name, settings: form.changes(typed))
            return .seeOther(PagePath.settings(app.scope) + "?saved=changed")
        } catch let failure as Failure where failure.isAboutInput {
            return try await settingsPage(page, typed: typed, failure)
        }
    }

    private func settingsPage(_ page: PageRequest, typed: FormFields?, _ failure: Failure?) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let (path, key, isLive) = (PagePath.settings(app.scope), app.key.branchKey, app.scope.mode == .live)
        let (stored, form) = try await settings(of: app)
        let mayChange = Access.appAdministrators.admits(user.role)
        var blocks: [Block] = page.query["saved"] == "changed" ? [.success("The settings were saved.")] : []
        if mayChange {
            let shown = form.form(path, appName: isLive ? stored.name : nil, typed: typed)
            if let failure {
                // The form is long: its beginning says that a field needs a change, too.
                blocks.append(.problem("Nothing was saved. \(failure.message)"))
                blocks.append(Block(form: shown.saying(failure) ?? shown))
            } else {
                blocks.append(Block(form: shown))
            }
        }
        let readOnly = mayChange ? AppSetting.all.filter { !form.mayChange($0) } : AppSetting.all
        if !readOnly.isEmpty {
            blocks.append(
                Block(
                    table: .settings(
                        readOnly, app.app.configuration,
                        caption: mayChange ? "Settings that both sides share: change them on the live side" : "Settings")))
        }
        let unknown = app.app.configuration.values.filter { name, _ in AppSetting.named(name) == nil }
        if !unknown.isEmpty {
            blocks.append(
                Block(
                    table: Table(
                        "Stored settings without an effect here", ["Setting", "Value"].map { Table.Column(columnLabel: $0) },
                        unknown.map { [.code($0.key), Cell($0.value.scalarText ?? $0.value.text)] }, isCaptionVisible: true)))
        }
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: "linden apps settings\nlinden apps show \(key)\nlinden apps update \(key) --set SETTING=VALUE",
                    call: "GET /api/v1/settings\nGET /api/v1/apps/\(key)\nPATCH /api/v1/apps/\(key)")))
        return PageView(
            "Settings",
            lead: isLive ? "An empty field means the default." : "Of the test side. An empty field means the live side's value.",
            blocks
        ).of(app, user, section: path).answer(failure.map { .failed($0.code) } ?? .found)
    }

    /// Returns the app as it is stored, and the form of the side's own settings.
    private func settings(of app: AppContext) async throws -> (app: App, form: SettingsForm) {
        let stored = try await services.apps.show(app.key.branchKey).app
        let form =
            app.scope.mode == .live
            ? SettingsForm(stored.configuration, live: nil)
            : SettingsForm(stored.testConfiguration, live: stored.configuration)
        return (stored, form)
    }
}

extension SettingsForm {
    fileprivate func mayChange(_ setting: AppSetting) -> Bool { editable.contains { $0.name == setting.name } }
}

extension Table {
    fileprivate static func settings(_ settings: [AppSetting], _ configuration: AppConfiguration, caption: String) -> Table {
        let texts = SettingsForm(configuration, live: nil).values
        return Table(
            caption, ["Setting", "Value", "Default", "Meaning"].map { Column(columnLabel: $0) },
            settings.map { setting in
                [
                    .code(setting.name), Cell(texts[setting.name] ?? ""), Cell(setting.standard ?? ""),
                    Cell(setting.meaning, note: setting.kind.summary),
                ]
            }, isCaptionVisible: true)
    }
}
