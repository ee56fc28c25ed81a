import LinkRouting

/// What a page offers a visitor on the way into the app: the app's address, and where it is to be had.
package struct WayIntoApp: Sendable {
    /// What the button opens: the app's URI, an Android intent, or a Universal Link. Nil if nothing may open the app.
    package var address: String?
    /// What a page opens by itself. Never a Universal Link, which opens an app only when it is tapped.
    package var automatic: String?
    /// The app's URI, for other apps that read it from the page's tags.
    package var uri: String?
    /// The system that URI is for.
    package var platform: Platform
    /// Where the page goes once the app has opened.
    package var after: String?
    package var fallback: String?
    /// Whether the fallback is the app's page in a store.
    package var leadsToStore: Bool
    /// Milliseconds until the page goes on to the fallback.
    package var timeout: Int
    /// Where the page reports its device; nil if no install can be matched by that.
    package var report: String?

    package init(
        address: String?, automatic: String? = nil, uri: String? = nil, platform: Platform, after: String? = nil,
        fallback: String? = nil,
        leadsToStore: Bool = false, timeout: Int = AppLink.standardTimeout, report: String? = nil
    ) {
        self.report = report
        self.address = address
        self.automatic = automatic
        self.uri = uri
        self.platform = platform
        self.after = after
        self.fallback = fallback
        self.leadsToStore = leadsToStore
        self.timeout = timeout
    }
}

extension PageModel {
    init(_ content: LinkContent, _ way: WayIntoApp, in language: PageLanguage) {
        self.init(content, in: language)
        appURI = way.address
        after = way.after
        fallback = way.fallback
        if way.leadsToStore {
            // The name of a store stays on one line.
            let store = way.fallback.flatMap(StorePage.store)?.replacing(" ", with: "\u{A0}")
            fallbackLabel = [language[.getApp], store].compactMap { $0 }.joined(separator: " · ")
        }
        timeout = way.timeout
        report = way.report
        isDesktop = way.platform == .desktop
        // Apps that open other apps read where a page leads from its tags (applinks.org).
        if let uri = way.uri, way.platform != .desktop {
            tags = [Tag(property: way.platform == .iOS ? "al:ios:url" : "al:android:url", content: uri)]
        }
        script = PageModel.openScript
    }
}
