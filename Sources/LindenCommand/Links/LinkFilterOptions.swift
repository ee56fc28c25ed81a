import ArgumentParser
import Linden
import LindenKernel

/// What a list of links is narrowed to.
struct LinkFilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Text in the path, a label or the data.", valueName: "text"))
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
    @Option(help: "open, ended (expired, consumed or without clicks left) or deleted. Default: all that are not deleted.")
    var state: LinkFilter.State?
    @Option(
        help: ArgumentHelp(
            "Only links created from this day (UTC), time in ISO 8601 or period such as yesterday, 30d or last-month on.",
            valueName: "time"))
    var from: String?
    @Option(help: ArgumentHelp("Only links created until this day (inclusive) or time.", valueName: "time"))
    var to: String?

    func filter(now: Timestamp) throws -> LinkFilter {
        var filter = LinkFilter()
        (filter.text, filter.channel, filter.feature) = (search, channel, feature)
        (filter.campaign, filter.stage, filter.tag, filter.state) = (campaign, stage, tag, state)
        if from != nil || to != nil {
            let range = try ExportRange(from: from, to: to, now: now)
            filter.created = range.from..<range.to
        }
        return filter
    }
}

extension LinkFilter.State: ExpressibleByArgument {}
