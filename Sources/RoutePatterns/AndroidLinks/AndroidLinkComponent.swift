/// An entry of `dynamic_app_link_components` in an `assetlinks.json` file, for Android 15 and later. A URL matches if it matches every part
/// that is given.
public struct AndroidLinkComponent: Sendable, Hashable {
    public var path: String?
    /// Patterns by the name of a query item; at least one item of each name must match. Other items are ignored.
    public var query: [String: String]?
    public var fragment: String?
    /// Whether a matching URL stays in the browser.
    public var excludes: Bool

    public init(path: String? = nil, query: [String: String]? = nil, fragment: String? = nil, excludes: Bool = false) {
        self.path = path
        self.query = query
        self.fragment = fragment
        self.excludes = excludes
    }
}
