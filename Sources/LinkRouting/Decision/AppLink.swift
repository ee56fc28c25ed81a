/// A link into the app by its URI scheme.
public struct AppLink: Sendable, Hashable {
    public var scheme: String
    /// What follows `scheme://`.
    public var path: String
    /// Android's name of the app, where it is known.
    public var packageName: String?
    /// Whether the browser takes an Android intent, which opens the app or goes on to the web, and shows no error either way.
    public var opensByIntent: Bool
    /// Milliseconds after which a page that tried to open the app goes on to its fallback.
    public var timeout: Int
    /// Where that page goes once the app has opened, for whoever comes back to it; nil if it stays.
    public var afterURL: String?

    public init(
        scheme: String, path: String, packageName: String? = nil, opensByIntent: Bool = false,
        timeout: Int = AppLink.standardTimeout, afterURL: String? = nil
    ) {
        self.scheme = scheme
        self.path = path
        self.packageName = packageName
        self.opensByIntent = opensByIntent
        self.timeout = timeout
        self.afterURL = afterURL
    }

    /// Branch's, long enough for a phone to switch apps.
    public static let standardTimeout = 750

    /// A desktop's browser asks its user first whether it may open the app.
    public static let desktopTimeout = 4000

    /// The URI with the click's id, which the SDK sends back as `link_identifier` (iOS and Android SDK: `link_click_id`).
    public func uri(clickID: String) -> String {
        PercentCoding.encodeIllegal(scheme + "://" + target(clickID: clickID))
    }

    /// The URI as an intent, which goes on to a web page where the app is missing (Chrome for developers, "Android intents with
    /// Chrome"). Without a page Chrome itself offers the package in Google Play.
    public func intent(clickID: String, fallback: String?) -> String {
        // What is behind a number sign is the intent's own.
        let target = target(clickID: clickID).replacing("#", with: "%23")
        var options = "scheme=\(scheme);"
        if let packageName { options += "package=\(PercentCoding.encodeQueryValue(packageName));" }
        // A longer one the page itself goes on to.
        if let fallback, fallback.utf8.count <= 2000 {
            options += "S.browser_fallback_url=\(PercentCoding.encodeQueryValue(fallback));"
        }
        return PercentCoding.encodeIllegal("intent://\(target)#Intent;\(options)end")
    }

    /// What to try first: the intent where the browser takes one.
    public func address(clickID: String, fallback: String?) -> String {
        opensByIntent ? intent(clickID: clickID, fallback: fallback) : uri(clickID: clickID)
    }

    private func target(clickID: String) -> String {
        URLParts.appending(QueryItem(name: "link_click_id", value: clickID), to: path)
    }
}
