import ArgumentParser
import Linden

struct DoctorAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Check an app's attribution, its settings, what they leave open, its events, and proxies.",
        discussion: """
            Deterministic ways from a click to an install are named that are off, and how the installs of the last 30 days were attributed. \
            Every copy of the app holds its branch key, so the key is public. Settings that have no effect or cannot be read are named, and \
            so are the faults of events, which are recorded all the same as far as they can be understood, and the hosts of other sites that \
            visitors' addresses of links named and to which no visitor was sent. Proxies are named whose forwarded addresses the running \
            server ignores (http.trusted_proxies) or cannot read, files of the database that others than their owner can read or \
            replace, and limits that are off (limits.enabled). None of these is an error: the exit status is 0.
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
