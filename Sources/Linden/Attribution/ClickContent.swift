import LinkRouting

/// What a click would bring into the app: equal for clicks that lead to the same data.
struct ClickContent: Hashable {
    private let link: Link.ID
    private let appended: [[String]]

    init(_ link: Link.ID, query: String?) {
        self.link = link
        let items = URLParts.queryItems(query ?? "").filter { !LinkQuery.isDropped($0.name) && !LinkQuery.isClickID($0.name) }
        appended = items.map { [$0.name, $0.value] }.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
    }
}
