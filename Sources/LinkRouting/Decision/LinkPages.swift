/// The pages that a link holds, worked out once for all its visits: which of them links of its app may lead to, and with which labels.
public struct LinkPages: Sendable {
    /// By key. Links have one or two.
    private let pages: [(key: String, url: String)]

    public init(of link: ControlParameters, _ app: AppSettings) {
        pages = link.pageKeys.compactMap { key in link.page(key, app).map { (key, $0) } }
    }

    subscript(key: String) -> String? {
        for page in pages where page.key == key { return page.url }
        return nil
    }
}
