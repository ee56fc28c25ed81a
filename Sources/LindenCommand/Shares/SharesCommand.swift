import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct SharesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares",
        abstract: "Share analytics questions by addresses that need no sign-in; list and revoke them.",
        subcommands: [SharesCreateCommand.self, SharesListCommand.self, SharesRevokeCommand.self])
}

/// The app whose shared questions a command is about.
struct SharesAppOption: ParsableArguments {
    @Option(help: ArgumentHelp("A live or test key, or the app's id for its live side.", valueName: "key"))
    var app: String
}

struct SharesCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Share a question. Its address is shown only once.",
        discussion: """
            Anyone with the address sees the answer as of that moment, until it expires or is revoked. The question is written as in the \
            address of the HTTP call: linden shares create --app KEY "Best channels" 'question=top&by=channel&from=30d'
            """)

    @Argument(help: "The heading of the page.")
    var title: String
    @Argument(help: "question=, which is counts, top, funnel, cohort, attribution or ltv, and the parameters of that call.")
    var query: String
    @Option(help: "The days until the address expires, 1 to 90.")
    var days = SharedQuestion.standardDays
    @OptionGroup var scope: SharesAppOption
    @OptionGroup var base: BaseURLOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices(baseURL: base.baseUrl) { services in
            let scope = try await services.apps.scope(of: scope.app)
            let (shared, secret) = try await services.sharedQuestions.create(query, title: title, days: days, in: scope)
            let address = try await common.settings().dashboard.baseURL(services.baseURL)
            Output(format: common.format).show(shared.view(secret: secret, on: address))
        }
    }
}

struct SharesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the questions that an app's side shares, without their addresses.")

    @OptionGroup var scope: SharesAppOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: scope.app)
            Output(format: common.format).list(
                try await services.sharedQuestions.list(scope).map(\.view),
                empty: "Nothing is shared: linden shares create --app KEY TITLE 'question=top&by=channel'")
        }
    }
}

struct SharesRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End the address of a shared question permanently.")

    @Argument(help: "The shared question's id.")
    var share: String
    @OptionGroup var scope: SharesAppOption
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: scope.app)
            let found = try await services.sharedQuestions.list(scope).first { String($0.id.rawValue) == share }
            guard let found else { throw Failure.notFound("There is no shared question \(share).") }
            try confirmation.ask("Revoke the address of \(found.title) permanently?")
            _ = try await services.sharedQuestions.revoke(found.id, in: scope)
            Output(format: common.format).show(["share_id": .string(share), "revoked": true])
        }
    }
}
