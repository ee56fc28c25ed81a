import Linden
import LindenKernel
import LindenReporting

/// The parameters by which lists and files of links are restricted, over HTTP and in the dashboard.
extension LinkFilter {
    package static let parameters = ["search", "channel", "feature", "campaign", "stage", "tag", "folder", "state", "from", "to"]

    package init(_ query: QueryParameters, now: Timestamp) throws {
        try self.init(now: now) { query.value($0) }
    }

    /// Fails with `invalid` for a malformed time or an unknown state.
    ///
    /// - Parameter value: returns the value of one of ``parameters``; nil if it is missing.
    package init(now: Timestamp, value: (_ name: String) -> String?) throws {
        self.init()
        text = value("search")
        channel = value("channel")
        feature = value("feature")
        campaign = value("campaign")
        stage = value("stage")
        tag = value("tag")
        folder = value("folder")
        state = try value("state").map { try QueryParameters.choice("state", $0) }
        created = try ExportRange.times(from: value("from"), to: value("to"), now: now)
    }
}
