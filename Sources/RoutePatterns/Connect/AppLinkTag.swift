/// An App Links tag of a page: `<meta property="al:…" content="…">`.
public struct AppLinkTag: Sendable, Hashable {
    public var property: String
    public var content: String

    public init(property: String, content: String) {
        self.property = property
        self.content = content
    }

    /// Returns the App Links tags among a page's properties, in the page's order. The prefix `al:` is case-sensitive.
    public static func scrape(_ properties: some Sequence<(property: String, content: String)>) -> [AppLinkTag] {
        properties.filter { $0.property.hasPrefix("al:") }.map { AppLinkTag(property: $0.property, content: $0.content) }
    }
}
