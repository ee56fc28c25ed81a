import ArgumentParser
import Linden
import LindenKernel
import LindenReporting

/// The conditions of a list of sessions as options.
struct SessionFilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only sessions with this text in the parameters that the app received.", valueName: "text"))
    var search: String?
    @Option(help: "Only sessions with this outcome: matched, refused or organic.")
    var outcome: AttributionDecision.Outcome?
    @Option(help: "Only sessions of this kind: \(SessionFilter.kinds.joined(separator: ", ")).")
    var kind: String?
    @Option(help: ArgumentHelp("Only sessions attributed to the link with this id.", valueName: "id"))
    var link: String?
    @Option(help: "Only sessions on ios, android, web (the Web SDK) or other systems.")
    var platform: SessionFilter.Platform?
    @Option(help: "Only sessions by a link with this channel.")
    var channel: String?
    @Option(
        help: ArgumentHelp(
            "Only sessions since this day (UTC), time in ISO 8601, or period such as yesterday, 30d or last-month.",
            valueName: "time"))
    var from: String?
    @Option(
        help: ArgumentHelp(
            "Only sessions until this day (inclusive), time, or period. Default: now, or the end of the period in --from.",
            valueName: "time"))
    var to: String?

    /// Fails with `invalid` for a malformed time or link id, and for an unknown kind.
    func filter(now: Timestamp) throws -> SessionFilter {
        var filter = SessionFilter()
        (filter.text, filter.outcome, filter.platform, filter.channel) = (search, outcome, platform, channel)
        filter.kind = try kind.map(SessionFilter.kind)
        filter.link = try link.map(SessionFilter.link)
        filter.started = try ExportRange.times(from: from, to: to, now: now)
        return filter
    }
}

extension AttributionDecision.Outcome: ExpressibleByArgument {}
extension SessionFilter.Platform: ExpressibleByArgument {}
