import Linden
import LindenKernel

/// Restricts a list of links. A member that is nil restricts nothing.
package struct LinkFilter: Sendable {
    package enum State: String, Sendable, CaseIterable {
        /// The link leads to its destination.
        case open
        /// The link is past its `expires_at`, was consumed, or has no clicks left.
        case ended
        /// The link is archived. The states above are those of links that are not.
        case archived
        case deleted
    }

    /// A text that the link's path, a label or its data contains. ASCII letters match in either case. If it is the id of a link that meets
    /// the other conditions, only that link is found.
    package var text: String?
    package var channel: String?
    package var feature: String?
    package var campaign: String?
    package var stage: String?
    /// One of the link's tags. ASCII letters match in either case.
    package var tag: String?
    package var folder: String?
    /// Nil for all links that are neither archived nor deleted.
    package var state: State?
    package var created: Range<Timestamp>?

    package init() {}

    /// Throws `invalid` for a text that is too long to search for.
    package func check() throws {
        for (name, text) in [("search", text), ("tag", tag)] where (text?.utf8.count ?? 0) > Self.longestText {
            throw Failure.invalid("\(name) may have at most \(Self.longestText) bytes.")
        }
    }

    /// The link whose id the text is; nil for a text that is no id.
    var textAsID: Link.ID? {
        guard let text, let id = Int64(text), id > 0, id < .max else { return nil }
        return Link.ID(rawValue: id)
    }

    /// In bytes. Each link's data is compared with the text.
    private static let longestText = 512
}

/// The order of a list of links, by the time of their creation.
package enum LinkOrder: String, Sendable, CaseIterable {
    case newest
    case oldest
}

package protocol LinkListReader {
    /// Returns the folders of a scope that have links which are not deleted, in the order of their names.
    ///
    /// - Parameter name: the name after which to begin.
    func folders(of scope: Scope, after name: String, limit: Int) throws -> [String]
    /// Returns the id of the last of the first `count` links of a scope in a range of ids, deleted ones included; nil if the range has
    /// fewer. Reads only an index.
    func lastLink(of scope: Scope, in ids: Range<Int64>, order: LinkOrder, among count: Int) throws -> Int64?
    /// Returns the first links of a scope in a range of ids that pass a filter, without their data. Its time of creation is not compared.
    func links(of scope: Scope, in ids: Range<Int64>, matching filter: LinkFilter, order: LinkOrder, limit: Int) throws -> [Link]
}
