import LindenKernel

/// Restricts a list of links. A member that is nil restricts nothing.
package struct LinkFilter: Sendable {
    package enum State: String, Sendable, CaseIterable {
        /// The link leads to its destination.
        case open
        /// The link is past its `expires_at`, was consumed, or has no clicks left.
        case ended
        case deleted
    }

    /// A text that the link's path, a label or its data contains. ASCII letters match in either case.
    package var text: String?
    package var channel: String?
    package var feature: String?
    package var campaign: String?
    package var stage: String?
    /// One of the link's tags. ASCII letters match in either case.
    package var tag: String?
    /// Nil for all links that are not deleted.
    package var state: State?
    package var created: Range<Timestamp>?

    package init() {}

    /// Throws `invalid` for a text that is too long to search for.
    package func check() throws {
        for (name, text) in [("search", text), ("tag", tag)] where (text?.utf8.count ?? 0) > Self.longestText {
            throw Failure.invalid("\(name) may have at most \(Self.longestText) bytes.")
        }
    }

    /// In bytes. Each link's data is compared with the text.
    private static let longestText = 512
}

/// The order of a list of links, by the time of their creation.
package enum LinkOrder: String, Sendable, CaseIterable {
    case newest
    case oldest
}
