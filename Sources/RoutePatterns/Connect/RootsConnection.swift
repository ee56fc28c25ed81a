import LinkRouting

/// The URLs that Roots-iOS tries for a link, in order. A value without side effects, so that a page can be tested without a phone.
public struct RootsConnection: Sendable, Hashable {
    /// A URL to open, and the event to send if it is the last one tried.
    public struct Attempt: Sendable, Hashable {
        public var url: String
        public var event: RootsEvent

        public init(url: String, event: RootsEvent) {
            self.url = url
            self.event = event
        }
    }

    /// The attempts, in order. An attempt is made only if the one before did not open; the last one's event is sent even if it fails. Empty
    /// if the text is not a link.
    public var attempts: [Attempt]

    /// Determines the attempts from a link, its page's tags and the caller's options.
    ///
    /// A page without a native URL leads to the web, whatever the options say. So does a preferred store without a known id, where
    /// Roots-iOS crashes. A page's web URL counts only if it is http or https.
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

    /// Tries the attempts in order; `opens` returns whether a URL opens, and the last one ends the search in any case. Returns the URLs
    /// that were tried and the resulting event.
    public func run(opening opens: (String) -> Bool) -> (opened: [String], event: RootsEvent) {
        var opened: [String] = []
        for attempt in attempts {
            opened.append(attempt.url)
            if attempt == attempts.last || opens(attempt.url) { return (opened, attempt.event) }
        }
        return (opened, .invalidURL)
    }

    /// Whether the whole text is an http or https URL with a host and without white space, no longer than ``PatternLimits/urlLength``.
    static func isWebLink(_ text: String) -> Bool {
        let parts = WrittenURL(text)
        return parts.scheme.lowercased().isWebScheme && parts.host?.isEmpty == false && !text.contains(where: \.isWhitespace)
            && text.utf8.count <= PatternLimits.urlLength
    }
}
