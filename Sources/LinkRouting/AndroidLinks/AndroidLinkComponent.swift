/// One entry of `dynamic_app_link_components` in an `assetlinks.json` file, for Android 15 and later. A URL matches when every
/// part that is given matches.
public struct AndroidLinkComponent: Sendable, Hashable {
    public var path: String?
    /// A pattern for some item of each name; other items do not matter.
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
