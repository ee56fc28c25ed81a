import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List and show sessions.",
        subcommands: [SessionsListCommand.self, SessionsShowCommand.self])
}

struct SessionsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List an app's sessions, newest first.",
        discussion: """
            All conditions must hold. A page is looked for in at most \(ExplanationService.mostSessionsRead) sessions, and is short if few \
            of them match; a line on standard error says how to go on if there may be more.
            """)

    @OptionGroup var app: AppOption
    @OptionGroup var filter: SessionFilterOptions
    @Option(help: "How many to list.")
    var limit = 50
    @Option(help: ArgumentHelp("Only sessions older than this one: the next page.", valueName: "session"))
    var before: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try check(limit: limit)
    }

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app.app)
            var last: Session.ID?
            if let before { last = try await services.explanations.session(before).id }
            let page = try await services.explanations.list(
                try filter.filter(now: WallClock.system.now()), of: scope, after: last, limit: limit)
            Output(format: common.format).list(
                page.sessions.map { $0.listView(services.publicIDs) }, empty: "There are no sessions.")
            if let next = page.next {
                Output.say("There may be more: go on with --before \(services.publicIDs.reference(to: next)).")
            }
        }
    }
}

struct SessionsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a session with the parameters that its app received; linden explain shows why.")

    @Argument(help: "The session's id: the session_id of Linden (session_…), or that of the SDK.")
    var session: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let session = try await services.explanations.session(session)
            Output(format: common.format).show(session.detailedView(services.publicIDs))
        }
    }
}
