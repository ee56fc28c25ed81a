import ArgumentParser
import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices

struct DoctorAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Check an app's attribution, settings, security and events, and the server's proxies and files.",
        discussion: """
            Reports how the installs of the last 30 days were attributed, deterministic matches that are switched off, settings without \
            effect or with invalid values, what clients can do with the public branch key alone, problems of recorded events, and hosts to \
            which visitors were not redirected because the app does not allow them. For the server, reports proxies whose forwarded addresses \
            are ignored (http.trusted_proxies) or invalid, files of the database that other users can read or replace, and limits that are \
            off (limits.enabled). Findings are not errors: the exit status is 0.
            """)

    @Argument(help: "One of the app's keys, or its id.")
    var app: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let context = try await services.apps.context(app)
            let (app, scope) = (context.app, context.scope)
            let problems = try await services.events.problems(in: scope).map { $0.finding(on: app) }
            let subject: JSONObject = ["app_id": .string(String(app.id.rawValue)), "name": .string(app.name)]
            let server =
                try await services.proxyFaults.findings() + common.databaseFindings()
                + services.limiter.limits.findings
            let reference = scope.mode == .test ? context.key.branchKey : String(app.id.rawValue)
            let settings = StoredSettingsCheck.findings(on: app, reference: reference) + CreditSettingsCheck.findings(on: app)
            let refusedURLs = try await services.refusedURLs.findings(of: scope, reference: reference)
            let days: Int64 = 30
            let attribution = AttributionCheck.findings(
                on: app, hasDomain: try await !services.domains.list(scope: scope).isEmpty,
                try await services.analytics.attributionSummary(of: scope, days: days), days: days, reference: reference)
            try (attribution + settings + refusedURLs + problems + server).report(about: subject, format: common.format)
        }
    }
}
