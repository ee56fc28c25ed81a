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

    /// Returns the hash for a stored click that has none, inside a launch's transaction. A query longer than 2048 bytes is hashed as text,
    /// without parsing, to limit the cost.
    fileprivate static func appendedBefore(_ query: String?) -> String {
        guard let query, query.utf8.count > 2048 else { return appended(query) }
        return JSON.string(query).shortHash
    }
}

extension Reader {
    /// Returns the content of a pending click. The click itself is read only if it was stored before the hash was.
    func content(of open: OpenClick) throws -> ClickContent {
        ClickContent(
            link: open.link, appended: try open.appended ?? ClickContent.appendedBefore(click(open.click)?.query))
    }
}

extension JSON {
    fileprivate var shortHash: String { String(hash.prefix(32)) }
}
