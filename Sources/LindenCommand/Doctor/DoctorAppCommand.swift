import ArgumentParser
import Linden

struct DoctorAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Report what an app's settings leave open to everyone with its public key, and faults of its events and proxies.",
        discussion: """
            Each app in the stores holds its branch key, so everyone has it. Events with faults are recorded all the same, as far as they \
            can be understood. Proxies are reported whose forwarded addresses the running server ignores (http.trusted_proxies). None of \
            these is an error.
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
            let proxies = try await services.untrustedProxies.findings()
            try (CreditSettingsCheck.findings(on: app) + problems + proxies).report(about: subject, format: common.format)
        }
    }
}
