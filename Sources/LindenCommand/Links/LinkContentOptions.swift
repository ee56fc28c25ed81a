import ArgumentParser
import Linden
import LindenKernel

/// The labels and data of a link as options.
struct LinkLabelOptions: ParsableArguments {
    @Option(help: "The channel where the link is shared, such as facebook.")
    var channel: String?
    @Option(help: "The feature of the app that creates the link, such as sharing.")
    var feature: String?
    @Option(help: "The campaign that the link belongs to.")
    var campaign: String?
    @Option(help: "The progress of the user who shares the link, such as new.")
    var stage: String?
    @Option(help: "A free label; repeat for several. Replaces all tags of a link that is changed; empty: none.")
    var tag: [String] = []
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Data for the app, and $ keys that control the link: a JSON object, @file with one, or key=value; merged if repeated.",
            valueName: "data"))
    var data: [String] = []

    /// The labels of a new link. An empty label is absent.
    var labels: Labels {
        let changes = changes
        return Labels(
            channel: changes.channel.value, feature: changes.feature.value, campaign: changes.campaign.value,
            stage: changes.stage.value, tags: changes.tags ?? [])
    }

    /// The changes of a link's labels.
    var changes: LinkChanges {
        LinkChanges(
            channel: FieldUpdate(option: channel), feature: FieldUpdate(option: feature), campaign: FieldUpdate(option: campaign),
            stage: FieldUpdate(option: stage), tags: tag.isEmpty ? nil : tag.filter { !$0.isEmpty })
    }
}

extension FieldUpdate<String> {
    /// Creates the update that an option asks for: without it the field is kept, and an empty text clears the field.
    init(option text: String?) {
        self = text.map { FieldUpdate($0.isEmpty ? nil : $0) } ?? .keep
    }
}

/// The labels, limits and data of a link as options.
struct LinkContentOptions: ParsableArguments {
    @OptionGroup var label: LinkLabelOptions
    @Option(help: "The folder in which to keep the link; empty: none.")
    var folder: String?
    @Option(
        help: ArgumentHelp(
            "The match window: the seconds in which an install can match a click. Default: two hours.", valueName: "seconds"))
    var duration: Int64?
    @Option(help: ArgumentHelp("When the link expires, such as 2027-01-31T18:00:00Z; empty for never.", valueName: "time"))
    var expiresAt: String?
    @Option(
        help: ArgumentHelp(
            "Where visitors are redirected after expiry; empty for the domain's target for expired links, or a built-in page.",
            valueName: "url"))
    var expiredUrl: String?
    @Option(help: ArgumentHelp("The number of clicks (without robots) until the link expires; 0: no limit.", valueName: "number"))
    var maxClicks: Int64?

    /// Returns the changes that the options ask for.
    func changes() throws -> LinkChanges {
        var changes = label.changes
        changes.folder = FieldUpdate(option: folder)
        changes.duration = duration
        (changes.expiresAt, changes.expiredURL, changes.maxClicks) = try limits()
        changes.data = try LinkDataArgument.merge(label.data)
        return changes
    }

    /// Returns the limits that were given; an option that is absent keeps its limit.
    func limits() throws -> (expiresAt: FieldUpdate<Timestamp>, expiredURL: FieldUpdate<String>, maxClicks: FieldUpdate<Int64>) {
        let time = try expiresAt.map { text -> FieldUpdate<Timestamp> in
            if text.isEmpty { return .clear }
            guard let time = Timestamp(iso8601: text) else {
                throw ValidationError("--expires-at must be a time in ISO 8601 with its zone, such as 2027-01-31T18:00:00Z.")
            }
            return .set(time)
        }
        let clicks: FieldUpdate<Int64> = if let maxClicks { maxClicks == 0 ? .clear : .set(maxClicks) } else { .keep }
        return (time ?? .keep, FieldUpdate(option: expiredUrl), clicks)
    }
}
