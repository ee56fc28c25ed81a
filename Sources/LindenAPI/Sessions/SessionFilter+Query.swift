import Linden
import LindenKernel
import LindenReporting

/// The parameters by which a list of sessions is restricted.
extension SessionFilter {
    package static let parameters = ["search", "outcome", "platform", "channel", "from", "to"]

    /// Fails with `invalid` for a malformed time, and for an unknown outcome or platform.
    package init(_ query: QueryParameters, now: Timestamp) throws {
        self.init()
        (text, channel) = (query.value("search"), query.value("channel"))
        (outcome, platform) = (try query.choice("outcome"), try query.choice("platform"))
        let (from, to) = (query.value("from"), query.value("to"))
        if from != nil || to != nil {
            let range = try ExportRange(from: from, to: to, now: now)
            started = range.from..<range.to
        }
    }
}
