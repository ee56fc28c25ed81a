import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Create, list, rotate and revoke access tokens.",
        subcommands: [TokensCreateCommand.self, TokensListCommand.self, TokensRotateCommand.self, TokensRevokeCommand.self])
}

extension Role: ExpressibleByArgument {}

struct TokensCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an access token for the HTTP API. It is shown only once.",
        discussion: "Send it as `Authorization: Bearer TOKEN`, or as `Access-Token: TOKEN` like Branch's clients.")

    @Argument(help: "A name that describes the token's purpose.")
    var name: String
    @Option(
        help: """
            admin: may read and change everything; editor: may read everything, change links and share totals; analyst: may only read; \
            support: may look up links, sessions, users and their credits; ingest: may create links, grant and redeem credits, and read nothing.
            """)
    var role: Role
    @Option(
        help: ArgumentHelp("Limits the token to one app: a key or an id. Default: all apps.", valueName: "key"))
    var app: String?
    @Option(
        help: ArgumentHelp("When the token is refused: after 90d or 12h, from a date or time, or never.", valueName: "time"))
    var expires = "never"
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let expires = try TokenExpiry(expires)
        try await common.withServices { services in
            var id: App.ID?
            if let app { id = try await services.apps.scope(of: app).app }
            let (token, secret) = try await services.tokens.create(name: name, role: role, app: id, expires: expires)
            Output(format: common.format).show(token.view.merging(["token": .string(secret)]))
        }
    }
}

struct TokensListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List access tokens, oldest first.")

    @Option(help: "How many to list.")
    var limit = 1000
    @Option(help: ArgumentHelp("Only tokens newer than this id: the next page.", valueName: "id"))
    var after: Int64?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try check(limit: limit)
    }

    func run() async throws {
        try await common.withServices { services in
            let page = try await services.tokens.list(after: after.map(AccessToken.ID.init(rawValue:)), limit: limit)
            Output(format: common.format).list(
                page.tokens.map(\.view), empty: "There are no tokens: linden tokens create NAME --role admin")
            if let next = page.next { Output.say("There are more: go on with --after \(next.rawValue).") }
        }
    }
}

struct TokensRotateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Give an access token a new secret. It is shown only once.",
        discussion: """
            Id, name, role and app stay. The former secret is also accepted until the overlap ends, so that programs can be updated one by \
            one; with an overlap of 0 it is refused from now on. A second rotation ends the secret of the one before. A token that expires \
            gets as long again as it had.
            """)

    @Argument(help: "The token's id or name.")
    var token: String
    @Option(
        help: ArgumentHelp(
            "How long the former secret is accepted: a duration such as 7d, 12h or 0, or an end date or time.", valueName: "time"))
    var overlap = RotationOverlap.standardOfSecrets
    @Option(
        help: ArgumentHelp("When the token is refused: after 90d or 12h, from a date or time, or never.", valueName: "time"))
    var expires: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let (overlap, expires) = (try RotationOverlap(overlap), try expires.map { try TokenExpiry($0) })
        try await common.withServices { services in
            let found = try await services.tokens.find(token)
            if overlap.isNone {
                try confirmation.ask("Refuse the former secret of \(found.name) (\(found.role.rawValue)) from now on?")
            }
            let (token, secret) = try await services.tokens.rotate(found.id, overlap: overlap, expires: expires)
            Output(format: common.format).show(token.view.merging(["token": .string(secret)]))
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
