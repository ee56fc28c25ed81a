/// The pages that a link holds, computed once for all its visits: checked against the app's allowed hosts, with the link's labels added.
public struct LinkURLs: Sendable {
    /// The URLs with their keys.
    private let urls: [(key: String, url: String)]
    /// Whether any of the pages is for visitors from one country.
    let dependOnCountry: Bool

    /// Nil for a link with more than ``most`` pages; links' creators are untrusted and could otherwise fill the cache with pages, each with
    /// all labels.
    public init?(of link: ControlParameters, _ app: AppSettings) {
        let keys = link.pageKeys
        guard keys.count <= Self.most else { return nil }
        urls = keys.compactMap { key in link.page(key, app).map { (key, $0) } }
        dependOnCountry = keys.contains(where: ControlParameters.isURLByCountry)
    }

    /// The size of keys and URLs, in bytes of UTF-8.
    public var byteCost: Int { urls.reduce(0) { $0 + $1.key.utf8.count + $1.url.utf8.count } }

    subscript(key: String) -> String? {
        for known in urls where known.key == key { return known.url }
        return nil
    }

    private static let most = 32
}
