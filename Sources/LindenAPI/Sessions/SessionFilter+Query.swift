import Linden
import LindenKernel
import LindenReporting

/// The parameters by which a list of sessions is restricted.
extension SessionFilter {
    package static let parameters = ["search", "outcome", "kind", "link", "platform", "channel", "from", "to"]

    /// Fails with `invalid` for a malformed time or link id, and for an unknown outcome, kind or platform.
    package init(_ query: QueryParameters, now: Timestamp) throws {
        self.init()
        (text, channel) = (query.value("search"), query.value("channel"))
        (outcome, platform) = (try query.choice("outcome"), try query.choice("platform"))
        kind = try query.value("kind").map(Self.kind)
        link = try query.value("link").map(Self.link)
        started = try ExportRange.times(from: query.value("from"), to: query.value("to"), now: now)
    }
}
