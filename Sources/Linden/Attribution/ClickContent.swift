import LinkRouting

/// Identifies the data that a click delivers to the app: equal for clicks that lead to the same data.
struct ClickContent: Hashable {
    let link: Link.ID
    /// The hash of the appended query, see ``appended(_:)``.
    let appended: String

    /// Returns a short hash of the items that a click's query appends to its link, in any order; empty if it appends none.
    static func appended(_ query: String?) -> String {
        guard let query, !query.isEmpty else { return "" }
        let items = URLParts.queryItems(query).filter { !LinkQuery.isDropped($0.name) && !LinkQuery.isClickID($0.name) }
        guard !items.isEmpty else { return "" }
        let sorted = items.map { [$0.name, $0.value] }.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
        return JSON.array(sorted.map { JSON($0) }).shortHash
    }
}

extension PendingClick {
    /// The data that the click delivers to the app.
    var content: ClickContent { ClickContent(link: link, appended: appended ?? "") }
}

extension JSON {
    fileprivate var shortHash: String { String(hash.prefix(32)) }
}
