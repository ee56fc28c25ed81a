import ArgumentParser
import Linden

struct DoctorAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Name what an app's settings leave open to anybody who has its public key.",
        discussion: "Each app in the stores holds its branch key, so everybody has it. Nothing named here is an error.")

    @Argument(help: "One of the app's keys, or its id.")
    var app: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let app = try await services.apps.context(app).app
            let subject: JSONObject = ["app_id": .string(String(app.id.rawValue)), "name": .string(app.name)]
            try CreditSettingsCheck.findings(on: app).report(about: subject, format: common.format)
        }
    }
}
