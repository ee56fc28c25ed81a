import Linden
import LindenKernel
import LindenReporting

/// The parameters by which lists and files of links are restricted.
extension LinkFilter {
    package static let parameters = ["search", "channel", "feature", "campaign", "stage", "tag", "folder", "state", "from", "to"]

    /// Fails with `invalid` for a malformed time or an unknown state.
    package init(_ query: QueryParameters, now: Timestamp) throws {
        self.init()
        text = query.value("search")
        channel = query.value("channel")
        feature = query.value("feature")
        campaign = query.value("campaign")
        stage = query.value("stage")
        tag = query.value("tag")
        folder = query.value("folder")
        state = try query.choice("state")
        created = try ExportRange.times(from: query.value("from"), to: query.value("to"), now: now)
    }
}
