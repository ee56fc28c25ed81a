import ArgumentParser
import Linden

struct DomainsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domains",
        abstract: "Add, list and remove the hosts of an app's links.",
        subcommands: [
            DomainsAddCommand.self, DomainsListCommand.self, DomainsRemoveCommand.self, DomainsAssociateCommand.self,
            DomainsDissociateCommand.self,
        ])
}

/// The app a command is about.
struct AppOption: ParsableArguments {
    @Option(help: ArgumentHelp("The app: a live or test key, or the app's id for its live side.", valueName: "key"))
    var app: String
}

struct DomainsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Give a host to an app; a test key gives it to the app's test links.")

    @Argument(help: "The host, such as go.example.com.")
    var host: String
    @OptionGroup var app: AppOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.context(app.app).scope
            Output(format: common.format).show(try await services.domains.add(host, to: scope).row)
        }
    }
}

struct DomainsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the hosts of all apps or of one.")

    @Option(help: ArgumentHelp("Only this app's: a key, or the app's id for its live side.", valueName: "key"))
    var app: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            var scope: Scope?
            if let app { scope = try await services.apps.context(app).scope }
            let domains = try await services.domains.list(scope: scope)
            Output(format: common.format).list(
                domains.map(\.row), empty: "There are no domains: links lie on \(services.baseURL.text).")
        }
    }
}

struct DomainsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a host from an app; links on it answer like unknown ones until it is added again.")

    @Argument(help: "The host.")
    var host: String
    @OptionGroup var app: AppOption
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.context(app.app).scope
            try confirmation.ask("Remove \(host)? Links on it will lead nowhere.")
            try await services.domains.remove(host, from: scope)
            Output(format: common.format).show(["domain": .string(host), "removed": true])
        }
    }
}

extension Domain {
    fileprivate var row: JSONObject {
        ["domain": .string(host), "app_id": .string(String(scope.app.rawValue)), "mode": .string(scope.mode.name)]
    }
}
