import ArgumentParser
import Linden
import LindenKernel
import LindenServices

struct DomainsAssociateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "associate",
        abstract: "Let another app open a host's links, by adding it to the association files. Links keep their app."
    )

    @OptionGroup var association: DomainAssociation

    func run() async throws {
        try await association.change(to: true) { try await $0.domains.associate($1, with: $2) }
    }
}

struct DomainsDissociateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dissociate", abstract: "Remove an associated app from a host's association files.")

    @OptionGroup var association: DomainAssociation

    func run() async throws {
        try await association.change(to: false) { try await $0.domains.dissociate($1, from: $2) }
    }
}

/// The arguments of a command that adds an app to a host's association files or removes it.
struct DomainAssociation: ParsableArguments {
    @Argument(help: "The host.")
    var host: String
    @OptionGroup var app: AppOption
    @OptionGroup var common: CommonOptions

    func change(to isAssociated: Bool, by change: (Services, App.ID, String) async throws -> Void) async throws {
        try await common.withServices { services in
            let app = try await services.apps.context(app.app).app
            try await change(services, app.id, host)
            Output(format: common.format).show([
                "domain": .string(host), "app_id": .string(String(app.id.rawValue)), "associated": .bool(isAssociated),
            ])
        }
    }
}
