import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct IdentitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identities", abstract: "Show, export and erase what is stored about a user.",
        subcommands: [IdentitiesShowCommand.self, IdentitiesExportCommand.self, IdentitiesEraseCommand.self])
}

/// The identity that a command applies to.
struct IdentityOptions: ParsableArguments {
    @Argument(help: "The user: your own id, the identity_id of Linden (identity_…), or that of the SDK.")
    var identity: String
    @OptionGroup var app: AppOption
}

struct IdentitiesShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a user's devices, first and last session, and totals.")

    @OptionGroup var user: IdentityOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let identity = try await services.identity(user)
            let summary = try await services.people.summary(of: identity)
            Output(format: common.format).show(summary.view(services.publicIDs))
        }
    }
}

struct IdentitiesEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase a user with all devices, sessions and events. Totals are kept.",
        discussion: """
            The user's clicks are kept without personal data, and links that the user created without an owner. Documentation/privacy.md \
            lists what is deleted and what is kept. Earlier backups still contain everything.
            """)

    @OptionGroup var user: IdentityOptions
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let identity = try await services.identity(user)
            let name = identity.developerIdentity ?? services.publicIDs.reference(to: identity.id)
            try confirmation.ask("Erase the user \(name) with all devices, sessions and events permanently?")
            let progress = Progress()
            let erased = try await services.people.erase(identity) { progress.show($0) }
            progress.clear()
            Output(format: common.format).show(erased.view(of: identity.id, services.publicIDs))
            Output.say("Backups made before still hold this user.")
            if !erased.isLogEmpty {
                Output.say("The database's log (-wal) was being read and still holds this user until the server moves it.")
            }
        }
    }
}

extension Services {
    func identity(_ user: IdentityOptions) async throws -> Identity {
        try await people.identity(user.identity, in: try await apps.scopeOfUsers(user.app.app))
    }
}
