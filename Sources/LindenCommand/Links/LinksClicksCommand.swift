import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting

struct LinksClicksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clicks", abstract: "List the recorded visits of a link, oldest first.",
        discussion: """
            The click log is ordered by time and has no index by link, so all visits of the time range are read; the last line says how \
            far it was read.
            """)

    @OptionGroup var link: LinkOptions
    @Option(
        help: ArgumentHelp(
            "The first day (UTC), a time in ISO 8601, or a period such as yesterday, 30d or last-month. Default: the link's creation.",
            valueName: "time"))
    var from: String?
    @Option(
        help: ArgumentHelp(
            "The last day (inclusive), a time, or a period. Default: now, or the end of the period in --from.",
            valueName: "time"))
    var to: String?
    @Option(help: "Only visits of one kind of visitor: person or robot.")
    var visitor: ClickVisitor?
    @Option(help: "How many to list.")
    var limit = 50
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try check(limit: limit, atMost: 10_000)
    }

    func run() async throws {
        try await common.withServices(baseURL: link.base.baseUrl) { services in
            let found = try await services.links.find(link.link)
            let range = try ExportRange(
                from: from ?? min(found.createdAt, WallClock.system.now()).iso8601, to: to, now: WallClock.system.now())
            let look = try await services.clicks.clicks(of: found.id, by: visitor, in: range, limit: limit)
            Output(format: common.format).list(
                look.clicks.map { $0.view(services.publicIDs) }, empty: "The link was not visited in this time.")
            Output.say(
                "Looked through \(look.rows) visits of all links, from \(range.from.iso8601) to \(look.until.iso8601)."
                    + (look.isWhole ? "" : " There may be more after that: go on with --from \(look.until.iso8601)."))
        }
    }
}

extension ClickVisitor: ExpressibleByArgument {}
