import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct DomainsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domains",
        abstract: "Add, list, change and remove the hosts of apps' links.",
        subcommands: [
            DomainsAddCommand.self, DomainsListCommand.self, DomainsUpdateCommand.self, DomainsRemoveCommand.self,
            DomainsAssociateCommand.self, DomainsDissociateCommand.self,
        ])
}

/// The app that a command applies to.
struct AppOption: ParsableArguments {
    @Option(help: ArgumentHelp("The app: a live or test key, or the app's id for its live side.", valueName: "key"))
    var app: String
}

struct DomainsAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a host to an app: for its live links with a live key or id, for its test links with a test key.")

    @Argument(help: "The host, such as go.example.com.")
    var host: String
    @OptionGroup var app: AppOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app.app)
            let domain = try await services.domains.add(host, to: scope)
            Output(format: common.format).show(domain.view)
            try await services.domains.remarkOnSharing(domain)
        }
    }
}

struct DomainsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the hosts of all apps or of one, and the associated apps that can open their links.")

    @Option(help: ArgumentHelp("Only hosts of this app: a live or test key, or the app's id for its live side.", valueName: "key"))
    var app: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            var scope: Scope?
            if let app { scope = try await services.apps.scope(of: app) }
            var (domains, next) = try await services.domains.list(of: scope?.app, scope?.mode, limit: 1000)
            while let last = next {
                let page = try await services.domains.list(of: scope?.app, scope?.mode, after: last, limit: 1000)
                domains += page.domains
                next = page.next
            }
            Output(format: common.format).list(
                domains.map(\.view), empty: "There are no domains: links lie on \(services.baseURL.text).")
        }
    }
}

struct DomainsRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a host from an app. Its links are not found until it is added again.")

    @Argument(help: "The host.")
    var host: String
    @OptionGroup var app: AppOption
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app.app)
            try await services.domains.check(host, isOf: scope)
            try confirmation.ask("Links on \(host) will stop working, and its associated apps are removed. Remove it?")
            try await services.domains.remove(host, from: scope, mayShareHost: true)
            Output(format: common.format).show(["domain": .string(host), "removed": true])
        }
    }
}

extension DomainService {
    /// Prints a message if links of other apps stay on the domain, because it is the host of the base URL.
    func remarkOnSharing(_ domain: Domain) async throws {
        let names = try await otherApps(on: domain).map(\.name)
        guard !names.isEmpty else { return }
        let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
        Output.say(
            "\(domain.host) is the host of the base URL: the links of apps without a domain of their own stay there (\(shown)).")
    }
}
