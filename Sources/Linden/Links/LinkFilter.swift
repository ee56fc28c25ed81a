import LindenKernel

/// What a list of links is narrowed to. A member that is nil narrows nothing.
package struct LinkFilter: Sendable {
    package enum State: String, Sendable, CaseIterable {
        /// The link leads to its destination.
        case open
        /// The link has expired, was consumed, or has no clicks left.
        case ended
        case deleted

        package init(named name: String) throws {
            guard let state = State(rawValue: name) else {
                let allowed = Self.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure.invalid("\(name) is not a state of a link. The states are \(allowed).")
            }
            self = state
        }
    }

    /// Text that the link's path, a label or its data contains, in any case of the letters a to z.
    package var text: String?
    package var channel: String?
    package var feature: String?
    package var campaign: String?
    package var stage: String?
    /// A tag that the link has.
    package var tag: String?
    /// Nil for all links that are not deleted.
    package var state: State?
    package var created: Range<Timestamp>?

    package init() {}
}

/// A page of a list of links.
package struct LinkPage: Sendable {
    package let links: [Link]
    /// Where the next page begins: only links older than this one. Nil if this is the last page.
    package let next: Link.ID?
}
