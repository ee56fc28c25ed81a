import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Create, list and revoke access tokens.",
        subcommands: [TokensCreateCommand.self, TokensListCommand.self, TokensRevokeCommand.self])
}

extension AccessToken.Role: ExpressibleByArgument {}

struct TokensCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an access token for the HTTP API. It is shown only once.",
        discussion: "Send it as `Authorization: Bearer TOKEN`, or as `Access-Token: TOKEN` like Branch's clients.")

    @Argument(help: "A name that describes the token's purpose.")
    var name: String
    @Option(help: "admin: may read and change; analyst: may only read.")
    var role: AccessToken.Role
    @Option(
        help: ArgumentHelp("Limits the token to one app: a key or an id. Default: all apps.", valueName: "key"))
    var app: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            var id: App.ID?
            if let app { id = try await services.apps.context(app).app.id }
            let (token, secret) = try await services.tokens.create(name: name, role: role, app: id)
            Output(format: common.format).show(token.view.merging(["token": .string(secret)]))
        }
    }
}

struct TokensListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all access tokens.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let tokens = try await services.tokens.list()
            Output(format: common.format).list(
                tokens.map(\.view), empty: "There are no tokens: linden tokens create NAME --role admin")
        }
    }
}

struct TokensRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Revoke an access token permanently.")

    @Argument(help: "The token's id or name.")
    var token: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let found = try await services.tokens.find(token)
            try confirmation.ask("Revoke the token \(found.name) (\(found.role.rawValue)) permanently?")
            try await services.tokens.revoke(found.id)
            Output(format: common.format).show(["token_id": .string(String(found.id.rawValue)), "revoked": true])
        }
    }
}
