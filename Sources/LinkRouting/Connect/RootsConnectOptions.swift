/// What an app that opens another by its link may ask of Roots.
public struct RootsConnectOptions: Sendable, Hashable {
    /// Whether the store is preferred to the web when the app does not open; nil leaves it to the page.
    public var alwaysFallsBackToStore: Bool?
    /// Sent when the page is fetched.
    public var userAgent: String?

    public init(alwaysFallsBackToStore: Bool? = nil, userAgent: String? = nil) {
        self.alwaysFallsBackToStore = alwaysFallsBackToStore
        self.userAgent = userAgent
    }

    /// The headers to fetch the page with: the first asks for App Links tags alone.
    public var requestHeaders: [(name: String, value: String)] {
        [("Prefer-Html-Meta-Tags", "al")] + (userAgent.map { [("User-Agent", $0)] } ?? [])
    }
}
