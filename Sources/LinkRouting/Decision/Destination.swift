/// Where a click leads, and why. A value: nothing has been looked up, written or sent for it.
public struct Destination: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
        /// Go there at once.
        case redirect(Target)
        /// Show a page that opens the app and falls back to the target when it does not open.
        case openApp(AppLink, fallback: Target?)
        /// Show a robot what the link is about.
        case preview
        /// There is nowhere to go: neither the link nor the app names a place for this visitor.
        case nowhere
    }

    /// Which rule decided, for the click log and for whoever asks why.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        case robotFallback = "robot_fallback"
        case robotPreview = "robot_preview"
        /// A program asked for the link's tags.
        case tagsWanted = "tags_wanted"
        case app
        case webOnly = "web_only"
        case deepLinkingOff = "deep_linking_off"
        case noApp = "no_app"
        case desktop
        /// The link's time or its clicks are over.
        case ended
    }

    public var action: Action
    public var reason: Reason

    public init(_ action: Action, reason: Reason) {
        self.action = action
        self.reason = reason
    }

    /// Whether a later first open may be matched to this click: only someone who may still install or open the app.
    public var canOpenApp: Bool {
        switch action {
        case .openApp: true
        case .redirect: reason == .noApp || reason == .deepLinkingOff
        case .preview, .nowhere: false
        }
    }
}

/// A link into the app by its URI scheme.
public struct AppLink: Sendable, Hashable {
    public var scheme: String
    /// What follows `scheme://`.
    public var path: String
    /// Milliseconds after which a page that tried to open the app goes on to its fallback.
    public var timeout: Int
    /// Where that page goes once the app has opened, for whoever comes back to it; nil if it stays.
    public var afterURL: String?

    public init(scheme: String, path: String, timeout: Int = AppLink.standardTimeout, afterURL: String? = nil) {
        self.scheme = scheme
        self.path = path
        self.timeout = timeout
        self.afterURL = afterURL
    }

    /// Branch's, long enough for a phone to switch apps.
    public static let standardTimeout = 750

    /// The URI with the click's id, which the SDK sends back as `link_identifier` (iOS and Android SDK: `link_click_id`).
    public func uri(clickID: String) -> String {
        PercentCoding.encodeIllegal(
            URLParts.appending(QueryItem(name: "link_click_id", value: clickID), to: scheme + "://" + path))
    }
}

/// A place on the web or in a store.
public enum Target: Sendable, Hashable {
    /// As it is.
    case web(String)
    /// With `_branch_match_id`, by which the Web SDK on that page finds the click.
    case matchedWeb(String)
    /// Google Play, which hands its `referrer` to the app on first start: the click's id survives the install.
    case playStore(String)

    public func url(clickID: String) -> String {
        switch self {
        case .web(let url): url
        case .matchedWeb(let url): URLParts.appending(QueryItem(name: "_branch_match_id", value: clickID), to: url)
        case .playStore(let url):
            URLParts.appending(QueryItem(name: "referrer", value: "link_click_id=" + clickID), to: url)
        }
    }
}
