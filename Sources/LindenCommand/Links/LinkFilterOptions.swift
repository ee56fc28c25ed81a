import ArgumentParser
import Linden
import LindenKernel
import LindenReporting

/// The conditions of a list of links as options.
struct LinkFilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only links with this text in their path, a label or their data, or the link with this id.", valueName: "text"))
    var search: String?
    @Option(help: "Only links with this channel.")
    var channel: String?
    @Option(help: "Only links with this feature.")
    var feature: String?
    @Option(help: "Only links with this campaign.")
    var campaign: String?
    @Option(help: "Only links with this stage.")
    var stage: String?
    @Option(help: "Only links with this tag.")
    var tag: String?
    @Option(help: "Only links in this folder, see `linden links folders`.")
    var folder: String?
    @Option(
        help:
            "Only open, ended (expired, consumed or without clicks left), archived or deleted links. Default: open and ended ones.")
    var state: LinkFilter.State?
    @Option(
        help: ArgumentHelp(
            "Only links created since this day (UTC), time in ISO 8601, or period such as yesterday, 30d or last-month.",
            valueName: "time"))
    var from: String?
    @Option(
        help: ArgumentHelp(
            "Only links created until this day (inclusive), time, or period. Default: now, or the end of the period in --from.",
            valueName: "time"))
    var to: String?

    /// Fails with `invalid` for a malformed time.
    func filter(now: Timestamp) throws -> LinkFilter {
        var filter = LinkFilter()
        (filter.text, filter.channel, filter.feature) = (search, channel, feature)
        (filter.campaign, filter.stage, filter.tag, filter.folder, filter.state) = (campaign, stage, tag, folder, state)
        filter.created = try ExportRange.times(from: from, to: to, now: now)
        return filter
    }
}

extension LinkFilter.State: ExpressibleByArgument {}
extension LinkOrder: ExpressibleByArgument {}
