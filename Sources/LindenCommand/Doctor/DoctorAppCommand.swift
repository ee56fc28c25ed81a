import ArgumentParser
import Linden

struct DoctorAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Name what an app's settings leave open to anybody who has its public key, and what is wrong with its events.",
        discussion: """
            Each app in the stores holds its branch key, so everybody has it. Events with faults are recorded all the same, as far as they \
            can be understood. Nothing named here is an error.
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
            try (CreditSettingsCheck.findings(on: app) + problems).report(about: subject, format: common.format)
        }
    }
}
