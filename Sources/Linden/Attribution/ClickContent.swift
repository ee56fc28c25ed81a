import LindenKernel
import LinkRouting

/// Identifies the data that a click delivers to the app: equal for clicks that lead to the same data.
package struct ClickContent: Hashable {
    let link: Link.ID
    /// The hash of the appended query, see ``hash(appended:)``.
    let appended: String?

    /// Returns a short hash of the items that a click's query appends to its link, in any order; nil if it appends none.
    static func hash(appended query: String?) -> String? {
        guard let query, !query.isEmpty else { return nil }
        let items = URLParts.queryItems(query).filter { !LinkQuery.isDropped($0.name) && !LinkQuery.isClickID($0.name) }
        guard !items.isEmpty else { return nil }
        // In the order of their bytes: Swift compares strings in a normal form, which is slow for combining marks.
        let pairs = items.map { JSON.array([.string($0.name), .string($0.value)]) }.map { (pair: $0, bytes: $0.bytes) }
        let sorted = pairs.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return JSON.array(sorted.map(\.pair)).shortHash
    }
}

extension PendingClick {
    /// The data that the click delivers to the app.
    var content: ClickContent { ClickContent(link: link, appended: appended) }
}

extension JSON {
    fileprivate var shortHash: String { String(hash.prefix(32)) }
}
