import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct LinksBulkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bulk", abstract: "Change or delete several links of an app, at most \(LinkBulkChange.mostLinks) at once.",
        discussion: """
            Each link is changed on its own. One that is refused does not stop the others, and makes the exit status 1. \
            `linden links list --format json` and `linden links export` find the ids.
            """)

    @Argument(help: "The links' ids.")
    var links: [String]
    @OptionGroup var app: AppOption
    @Option(help: ArgumentHelp("Add a tag; repeat for several.", valueName: "tag"))
    var addTag: [String] = []
    @Option(help: ArgumentHelp("Remove a tag; repeat for several.", valueName: "tag"))
    var removeTag: [String] = []
    @Option(help: "Set the channel; empty: remove it.")
    var channel: String?
    @Option(help: "Set the campaign; empty: remove it.")
    var campaign: String?
    @Option(help: "Move the links to a folder; empty: out of theirs.")
    var folder: String?
    @Option(help: ArgumentHelp("Set when the links expire, such as 2027-01-31T18:00:00Z or now; empty: never.", valueName: "time"))
    var expiresAt: String?
    @OptionGroup var archive: ArchiveOption
    @Flag(help: "Delete the links.")
    var delete = false
    @OptionGroup var base: BaseURLOption
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    private var isChange: Bool {
        !addTag.isEmpty || !removeTag.isEmpty || archive.isArchived != nil
            || [channel, campaign, folder, expiresAt].contains { $0 != nil }
    }

    func validate() throws {
        guard isChange != delete else {
            throw ValidationError(
                "Give --delete, or what to change: --add-tag, --remove-tag, --channel, --campaign, --folder, --expires-at, --archive, "
                    + "--restore.")
        }
    }

    func run() async throws {
        let changes = try givenChanges()
        let change = delete ? LinkBulkChange.delete : .update { _ in changes }
        try await common.withServices(baseURL: base.baseUrl) { services in
            let scope = try await services.apps.scope(of: app.app)
            if delete { try confirmation.ask("Delete \(links.count) links?") }
            let outcomes = try await services.links.change(links, in: scope, change)
            Output(format: common.format).list(
                outcomes.map { outcome in
                    let view = outcome.view { services.links.url(of: $0) }
                    // A table has the columns of its first row.
                    return common.format == .json
                        ? view
                        : [
                            "id": .string(outcome.id),
                            "outcome": outcome.failure == nil ? (delete ? "deleted" : "changed") : "refused",
                            "link": view["url"] ?? view["error"] ?? .null,
                        ]
                }, empty: "")
            if outcomes.contains(where: { $0.failure != nil }) { throw ExitCode.failure }
        }
    }

    private func givenChanges() throws -> LinkChanges {
        return LinkChanges(
            channel: FieldUpdate(option: channel), campaign: FieldUpdate(option: campaign), addedTags: addTag,
            removedTags: removeTag, folder: FieldUpdate(option: folder), isArchived: archive.isArchived, expiresAt: try expiry())
    }

    private func expiry() throws -> FieldUpdate<Timestamp> {
        switch expiresAt {
        case nil: return .keep
        case "": return .clear
        case "now": return .set(WallClock.system.now())
        case let text?:
            guard let time = Timestamp(iso8601: text) else {
                throw ValidationError("--expires-at must be now or a time in ISO 8601 with its zone, such as 2027-01-31T18:00:00Z.")
            }
            return .set(time)
        }
    }
}
