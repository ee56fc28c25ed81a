import Linden
import LindenAPI
import LindenKernel
import LindenServices
import LinkRouting

/// The set-up of one side of an app, and what the doctor finds about it.
extension Dashboard {
    func setUpOfAppPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let settings = JSON.object(app.app.configuration.values).text
        let findings = try await recentAnswers.answer(to: "findings \(settings)", of: app.scope) {
            try await services.diagnosis.findings(on: app)
        }
        // The first suffice to show how the app names its hosts.
        let (domains, next) = try await services.domains.list(of: app.app.id, app.scope.mode, limit: 20)
        let hosts = domains.map(\.host).joined(separator: ", ") + (next == nil ? "" : " and more")
        let key = app.key.branchKey
        let findingRows = findings.map { finding in
            [Cell(finding.status.rawValue), Cell(finding.check), Cell(finding.message)]
        }
        let settingRows = app.app.configuration.values.map { name, value in
            let meaning = AppSetting.all.first { $0.name == name }?.meaning
            return [Cell.code(name), Cell(value.scalarText ?? value.text), Cell(meaning ?? "")]
        }
        let snippets = try await snippets(for: app, hosts: domains.map(\.host))
        var code: [Block] = [
            .heading("The app's SDK"),
            .paragraph(
                "What the app and its pages need, with the app's own keys and addresses. Documentation/sdk-setup.md has other versions and SDKs."
            ),
        ]
        if let problem = snippets.problem { code.append(.problem(problem)) }
        code += snippets.all.map { Block(preformatted: Preformatted(preSummary: $0.title, preText: $0.text)) }
        return PageView(
            "Set-up",
            [
                Block(
                    facts: Facts([
                        ("Branch key, for the SDK", .code(key)), ("Mode", Cell(app.scope.mode.name)),
                        ("Hosts of its links", Cell(hosts.isEmpty ? "\(services.baseURL.host), which all apps share" : hosts)),
                        ("App id", .code("\(app.app.id)")),
                    ]))
            ] + code + [
                Block(
                    table: Table(
                        findings.isEmpty ? "The doctor has no findings" : "What the doctor finds",
                        ["Status", "Check", "Finding"].map { Table.Column(columnLabel: $0) }, findingRows, isCaptionVisible: true)),
                Block(
                    table: Table(
                        settingRows.isEmpty ? "No setting differs from its default" : "Settings that differ from their defaults",
                        ["Setting", "Value", "Meaning"].map { Table.Column(columnLabel: $0) }, settingRows, isCaptionVisible: true)),
                Block(
                    equivalents: Equivalents(
                        command: "linden doctor app \(key)\nlinden apps update \(key) --set SETTING=VALUE\nlinden apps settings",
                        call: "GET /api/v1/doctor?app=\(key)\nPATCH /api/v1/apps/\(key)\nGET /api/v1/settings")),
            ]
        ).of(app, user, section: PagePath.setUp(app.scope)).answer()
    }

    private func snippets(for app: AppContext, hosts: [String]) async throws -> SDKSnippets {
        func key(_ mode: Mode) async throws -> String? {
            guard mode != app.scope.mode else { return app.key.branchKey }
            return try await services.directory.app(scope: Scope(app: app.scope.app, mode: mode))?.key.branchKey
        }
        let settings = app.app.configuration.routing
        return SDKSnippets(
            liveKey: try await key(.live), testKey: try await key(.test), isTest: app.scope.mode == .test,
            address: services.baseURL.text, hosts: hosts.isEmpty ? [services.baseURL.host] : hosts,
            iosScheme: settings.ios.uriScheme, androidScheme: settings.android.uriScheme)
    }
}
