/// The pages that a link holds, worked out once for all its visits: which of them links of its app may lead to, and with which labels.
public struct LinkURLs: Sendable {
    /// By key.
    private let urls: [(key: String, url: String)]

    /// Nil for a link with more pages than links have: whoever may make one could fill the memory with them, each with all its labels.
    public init?(of link: ControlParameters, _ app: AppSettings) {
        let keys = link.pageKeys
        guard keys.count <= Self.most else { return nil }
        urls = keys.compactMap { key in link.page(key, app).map { (key, $0) } }
    }

    /// Bytes of text.
    public var weight: Int { urls.reduce(0) { $0 + $1.key.utf8.count + $1.url.utf8.count } }

    subscript(key: String) -> String? {
        for known in urls where known.key == key { return known.url }
        return nil
    }

    private static let most = 32
}
