/// What is kept of a long link with each of its clicks, so that its query is not read again. A reference, because most clicks, those of stored
/// links, have none.
package final class LongLinkRecord: Sendable, Equatable {
    /// The link's own attribution windows; nil if it sets none.
    package let windows: LinkWindows?
    /// The link's labels; nil if the click was stored without its query, and if it was read from the log.
    package let labels: Labels?

    package init(windows: LinkWindows? = nil, labels: Labels? = nil) {
        self.windows = windows
        self.labels = labels
    }

    package static func == (one: LongLinkRecord, other: LongLinkRecord) -> Bool {
        one.windows == other.windows && one.labels == other.labels
    }
}

extension Link {
    /// Returns what to keep of a long link with a click; nil for a stored link.
    func longLinkRecord(withLabels: Bool) -> LongLinkRecord? {
        guard isLong else { return nil }
        let windows = windows
        return LongLinkRecord(windows: windows == .unset ? nil : windows, labels: withLabels ? labels : nil)
    }
}
