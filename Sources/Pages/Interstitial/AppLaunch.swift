import LinkRouting

/// The ways that a page offers to launch the app: its address, and the fallback where it can be installed.
package struct AppLaunch: Sendable {
    /// The URL that the button opens: the app's URI, an Android intent, or a Universal Link. Nil if the page must not open the app.
    package var address: String?
    /// The URL that the page opens automatically. Never a Universal Link, which opens an app only when tapped.
    package var automatic: String?
    /// The app's URI for the page's App Links tags, which other apps read.
    package var uri: String?
    /// The platform that `uri` is for.
    package var platform: Platform
    /// The URL that the page goes to once the app has opened; nil if the page stays.
    package var after: String?
    package var fallback: String?
    /// Whether the fallback is the app's page in a store.
    package var leadsToStore: Bool
    /// Milliseconds until the page goes on to `fallback`.
    package var timeout: Int
    /// The URL that the page reports its device to; nil if no install can be matched by a fingerprint.
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
    init(_ content: LinkContent, _ way: AppLaunch, in language: PageLanguage) {
        self.init(content, in: language)
        appURI = way.address
        after = way.after
        fallback = way.fallback
        if way.leadsToStore {
            // A no-break space keeps the store's name on one line.
            let store = way.fallback.flatMap(StorePage.store)?.replacing(" ", with: "\u{A0}")
            fallbackLabel = [language[.getApp], store].compactMap { $0 }.joined(separator: " · ")
        }
        timeout = way.timeout
        report = way.report
        isDesktop = way.platform == .desktop
        // App Links tags for apps that open other apps (applinks.org).
        if let uri = way.uri, way.platform != .desktop {
            tags = [Tag(property: way.platform == .iOS ? "al:ios:url" : "al:android:url", content: uri)]
        }
        script = PageModel.openScript
    }
}
