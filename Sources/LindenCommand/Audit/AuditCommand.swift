import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "List what operators changed: who, from where, what, before and after. Newest first.",
        discussion: """
            Each change by a command, by the management API, by a tool for language models, by a secret of an app and in the dashboard has an \
            entry. The entries are a chain of hashes, which `linden verify` checks. Keep the hash of an entry elsewhere to prove later that \
            nothing before it was altered or removed.
            """)

    @Option(help: ArgumentHelp("Only changes of one app: a key or an id.", valueName: "key"))
    var app: String?
    @Option(
        help:
            "Only changes by an access token, a user of the dashboard, a secret of an app, or a command: token, user, secret, command."
    )
    var actor: AuditActor.Kind?
    @Option(help: ArgumentHelp("Only changes by the token or user with this id, or by the secret of this app.", valueName: "id"))
    var actorId: Int64?
    @Option(help: "Only changes of one kind of row, such as link, app, token or credit.")
    var noun: String?
    @Option(help: ArgumentHelp("Only changes of the row with this id, such as a link's.", valueName: "id"))
    var subject: String?
    @Option(
        help: ArgumentHelp(
            "Only changes since this day (UTC), time in ISO 8601, or period such as yesterday, 30d or last-month.",
            valueName: "time"))
    var from: String?
    @Option(help: ArgumentHelp("Only changes until this day (inclusive), time, or period. Default: now.", valueName: "time"))
    var to: String?
    @Option(help: "How many to list.")
    var limit = 50
    @Option(help: ArgumentHelp("Only entries before this position: the next page.", valueName: "position"))
    var before: Int64?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try check(limit: limit)
    }

    func run() async throws {
        try await common.withServices { services in
            var filter = AuditFilter()
            if let app { filter.app = try await services.apps.scope(of: app).app }
            (filter.actorKind, filter.actorID, filter.noun, filter.subject) = (actor, actorId, noun, subject)
            filter.times = try ExportRange.times(from: from, to: to, now: WallClock.system.now())
            let page = try await services.audit.list(filter, before: before, limit: limit)
            Output(format: common.format).list(
                page.entries.map { common.format == .json ? $0.view(services.publicIDs) : $0.summary(services.publicIDs) },
                empty: "There are no such changes.")
            if let next = page.next { Output.say("There are more: go on with --before \(next).") }
        }
    }
}

extension AuditActor.Kind: ExpressibleByArgument {}
