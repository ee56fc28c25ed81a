/// A URL that opens the app by its URI scheme.
public struct AppLink: Sendable, Hashable {
    public var scheme: String
    /// The part after `scheme://`.
    public var path: String
    /// The app's package name on Android, if known.
    public var packageName: String?
    /// Whether the browser supports Android intents. An intent opens the app or falls back to the web, and never shows an error.
    public var opensByIntent: Bool
    /// Milliseconds until a page that tried to open the app goes on to its fallback.
    public var timeout: Int
    /// The URL that the page goes to once the app has opened, for visitors who return to it; nil if it stays.
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

    /// Branch's timeout in milliseconds, long enough for a phone to switch apps.
    public static let standardTimeout = 750

    /// The timeout on desktops in milliseconds, longer because browsers there ask for permission before they open an app.
    public static let desktopTimeout = 4000

    /// Returns the URI with the click's id, which the SDK sends back as `link_identifier` (iOS and Android SDK: `link_click_id`).
    public func uri(clickID: String) -> String {
        PercentCoding.encodeIllegal(scheme + "://" + target(clickID: clickID))
    }

    /// Returns the URI as an intent, which falls back to a web page if the app is missing (Chrome for developers, "Android intents with
    /// Chrome"). Without a fallback, Chrome offers the package in Google Play.
    public func intent(clickID: String, fallback: String?) -> String {
        // A number sign would begin the intent's own parameters. Replaced by bytes: with a combining mark it is another character.
        let target = target(clickID: clickID).utf8.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }.joined(separator: "%23")
        var options = "scheme=\(scheme);"
        if let packageName { options += "package=\(PercentCoding.encodeQueryValue(packageName));" }
        // A longer fallback is left to the page's own timer.
        if let fallback, fallback.utf8.count <= 2000 {
            options += "S.browser_fallback_url=\(PercentCoding.encodeQueryValue(fallback));"
        }
        return PercentCoding.encodeIllegal("intent://\(target)#Intent;\(options)end")
    }

    /// Returns the URL to try first: the intent if the browser supports it, else the URI.
    public func address(clickID: String, fallback: String?) -> String {
        opensByIntent ? intent(clickID: clickID, fallback: fallback) : uri(clickID: clickID)
    }

    private func target(clickID: String) -> String {
        URLParts.appending(QueryItem(name: "link_click_id", value: clickID), to: path)
    }
}
