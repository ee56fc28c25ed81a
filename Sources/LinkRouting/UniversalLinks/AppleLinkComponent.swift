/// One entry of `components` in an `apple-app-site-association` file. A URL matches when every part that is given matches.
public struct AppleLinkComponent: Sendable, Hashable {
    public enum Query: Sendable, Hashable {
        /// A pattern for the whole query.
        case whole(String)
        /// A pattern for every item of each name; other items do not matter.
        case items([String: String])
    }

    /// The `/` pattern. Without a slash in front it means the same as with one.
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
