/// A filter that routes URLs to a screen of an app with Roots.
public struct RootsFilter: Sendable, Hashable {
    public var key: AppLinkKey
    public var format: RootsFormat
    /// The screen's name: a view controller's identifier on iOS, an activity on Android.
    public var target: String

    public init(key: AppLinkKey, format: RootsFormat, target: String) {
        self.key = key
        self.format = format
        self.target = target
    }

    public init(key: AppLinkKey, format: String, target: String) throws(RouteSyntaxError) {
        try self.init(key: key, format: RootsFormat(format), target: target)
    }
}

/// The filter that matched a URL, and the captured parameters.
public struct RootsMatch: Sendable, Hashable {
    public var filter: RootsFilter
    public var parameters: [String: String]

    public init(filter: RootsFilter, parameters: [String: String]) {
        self.filter = filter
        self.parameters = parameters
    }
}
