/// Options of an app that opens another app's link with Roots.
public struct RootsConnectOptions: Sendable, Hashable {
    /// Whether the store is preferred to the web if the app does not open; nil to use the page's preference.
    public var alwaysFallsBackToStore: Bool?
    /// The `User-Agent` header of the request for the page.
    public var userAgent: String?

    public init(alwaysFallsBackToStore: Bool? = nil, userAgent: String? = nil) {
        self.alwaysFallsBackToStore = alwaysFallsBackToStore
        self.userAgent = userAgent
    }

    /// The headers of the request for the page; `Prefer-Html-Meta-Tags` asks for App Links tags alone.
    public var requestHeaders: [(name: String, value: String)] {
        [("Prefer-Html-Meta-Tags", "al")] + (userAgent.map { [("User-Agent", $0)] } ?? [])
    }
}
