/// How Roots-iOS connects to another app by a link: what to try, in order. Deciding is apart from doing, so a page can be tried
/// out without a phone.
public struct RootsConnection: Sendable, Hashable {
    /// A URL to open, and the event to send when it is where the search ends.
    public struct Attempt: Sendable, Hashable {
        public var url: String
        public var event: RootsEvent

        public init(url: String, event: RootsEvent) {
            self.url = url
            self.event = event
        }
    }

    /// The next attempt is made only when the one before did not open; the last one's event is sent either way. Empty when the
    /// text is no link.
    public var attempts: [Attempt]

    /// Decides by a link, its page's tags and the caller's options.
    ///
    /// A page without a native URL leads to the web, whatever the options say. So does a preferred store whose id nobody knows,
    /// where Roots-iOS crashes; and a page may not lead the browser anywhere but to the web.
    public init(link: String, tags: [AppLinkTag], options: RootsConnectOptions = RootsConnectOptions()) {
        attempts = []
        guard RootsConnection.isWebLink(link) else { return }
        let page = AppLinkMetadata(tags)
        if let native = page.nativeURL {
            let launched = RootsEvent.applicationLaunched(appName: page.appName, storeID: page.storeID)
            attempts.append(Attempt(url: native, event: launched))
            if options.alwaysFallsBackToStore ?? page.prefersStore ?? false, let storeID = page.storeID, !storeID.isEmpty {
                let store = "itms-apps://itunes.apple.com/app/id" + PercentCoding.encodeQueryValue(storeID)
                attempts.append(Attempt(url: store, event: .appStoreOpened(appName: page.appName, storeID: storeID)))
                return
            }
        }
        let fallback = page.webURL.flatMap { RootsConnection.isWebLink($0) ? $0 : nil } ?? link
        attempts.append(Attempt(url: fallback, event: .fallbackURLOpened(fallback)))
    }

    /// Goes through the attempts: what was tried, and the one event.
    public func run(opening opens: (String) -> Bool) -> (opened: [String], event: RootsEvent) {
        var opened: [String] = []
        for attempt in attempts {
            opened.append(attempt.url)
            if attempt == attempts.last || opens(attempt.url) { return (opened, attempt.event) }
        }
        return (opened, .invalidURL)
    }

    /// Whether a text is, from its first character to its last, a link to the web.
    static func isWebLink(_ text: String) -> Bool {
        let parts = WrittenURL(text)
        return parts.scheme.lowercased().isWebScheme && parts.host?.isEmpty == false && !text.contains(where: \.isWhitespace)
            && text.utf8.count <= PatternLimits.urlLength
    }
}
