import ArgumentParser
import Linden
import LindenKernel
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
            let subject: JSONObject = ["app_id": .string(String(context.app.id.rawValue)), "name": .string(context.app.name)]
            let findings = try await services.diagnosis.findings(on: context)
            let server = try await services.diagnosis.serverFindings() + common.databaseFindings()
            try (findings + server).report(about: subject, format: common.format)
        }
    }
}
