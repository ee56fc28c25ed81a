import LinkRouting

/// What a click would bring into the app: equal for clicks that lead to the same data.
struct ClickContent: Hashable {
    let link: Link.ID
    /// See ``appended(_:)``.
    let appended: String

    /// A short hash of what a click's query appends to its link, in any order; empty if that is nothing.
    static func appended(_ query: String?) -> String {
        guard let query, !query.isEmpty else { return "" }
        let items = URLParts.queryItems(query).filter { !LinkQuery.isDropped($0.name) && !LinkQuery.isClickID($0.name) }
        guard !items.isEmpty else { return "" }
        let sorted = items.map { [$0.name, $0.value] }.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
        return JSON.array(sorted.map { JSON($0) }).shortHash
    }

    /// The same of a stored click, in an opening's transaction: of a long query as it is written, which costs little.
    fileprivate static func appendedBefore(_ query: String?) -> String {
        guard let query, query.utf8.count > 2048 else { return appended(query) }
        return JSON.string(query).shortHash
    }
}

extension Reader {
    /// What an open click would bring into the app. Only clicks of before the hash was kept are read for it.
    func content(of open: OpenClick) throws -> ClickContent {
        ClickContent(
            link: open.link, appended: try open.appended ?? ClickContent.appendedBefore(click(open.click)?.query))
    }
}

extension JSON {
    fileprivate var shortHash: String { String(hash.prefix(32)) }
}
