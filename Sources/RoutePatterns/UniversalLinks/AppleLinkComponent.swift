/// An entry of `components` in an `apple-app-site-association` file. A URL matches if it matches every part that is given.
public struct AppleLinkComponent: Sendable, Hashable {
    public enum Query: Sendable, Hashable {
        /// A pattern for the whole query.
        case whole(String)
        /// Patterns by the name of a query item; every item of each name must match. Other items are ignored.
        case items([String: String])
    }

    /// The `/` pattern. A leading slash is implied if it is missing.
    public var path: String?
    public var query: Query?
    public var fragment: String?
    /// Whether a matching URL stays in the browser.
    public var excludes: Bool
    public var settings: AppleLinkSettings

    public init(
        path: String? = nil, query: Query? = nil, fragment: String? = nil, excludes: Bool = false,
        settings: AppleLinkSettings = AppleLinkSettings()
    ) {
        self.path = path
        self.query = query
        self.fragment = fragment
        self.excludes = excludes
        self.settings = settings
    }
}
