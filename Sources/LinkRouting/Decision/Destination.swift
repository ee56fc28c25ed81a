/// The destination of a click, and the rule that decided. A pure value: nothing was looked up, stored or sent for it.
public struct Destination: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
        /// Redirects at once.
        case redirect(Target)
        /// Shows a page that opens the app and goes to the fallback if it does not open.
        case openApp(AppLink, fallback: Target?)
        /// Shows the link's content with buttons.
        case deepview(Deepview)
        /// Shows a desktop how to transfer the link to a phone.
        case sendToPhone
        /// Shows a robot the link's metadata.
        case preview
        /// No destination: neither the link nor the app names one for the visitor.
        case nowhere
    }

    /// The rule that decided, for the click log and for explanations.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        case robotFallback = "robot_fallback"
        case robotPreview = "robot_preview"
        /// A program asked for the link's tags (`Prefer-Html-Meta-Tags`).
        case tagsWanted = "tags_wanted"
        case app
        /// A deepview waits until its button is pressed.
        case deepview
        /// A passive deepview is shown on the way to the app or the store.
        case passiveDeepview = "passive_deepview"
        /// The page's button copies the link to the clipboard, where the app finds it.
        case nativeLink = "native_link"
        case webOnly = "web_only"
        case deepLinkingOff = "deep_linking_off"
        /// The URI redirect mode, or the browser, does not permit trying the app's URI scheme.
        case schemeHeldBack = "scheme_held_back"
        /// The visitor is known not to have the app.
        case withoutApp = "without_app"
        case noApp = "no_app"
        case desktop
        /// A one-time link that was consumed before.
        case used
        /// The link has expired or reached its limit of clicks.
        case ended
    }

    public var action: Action
    public var reason: Reason

    public init(_ action: Action, reason: Reason) {
        self.action = action
        self.reason = reason
    }

    /// Whether a later first open may be matched to this click: only if the visitor may still install or open the app.
    public var canOpenApp: Bool {
        switch action {
        case .openApp, .deepview: true
        case .redirect: [.noApp, .deepLinkingOff, .schemeHeldBack, .withoutApp].contains(reason)
        case .sendToPhone, .preview, .nowhere: false
        }
    }
}

/// A page about a link's content with a way to open the app (Branch's deepviews and NativeLink).
public struct Deepview: Sendable, Hashable {
    /// The link into the app; nil if only a Universal Link or nothing may open it.
    public var app: AppLink?
    /// The page where the app can be installed, or its replacement.
    public var fallback: Target?
    /// Whether the page goes to the app, else to the fallback, automatically: a passive deepview. An active one waits for its button.
    public var isPassive: Bool
    /// Whether a passive deepview tries the app, or only shows the content on the way to the fallback.
    public var triesApp: Bool
    /// Whether the button copies the link to the clipboard before it goes to the store; the iOS SDK reads it on first start.
    public var copiesLink: Bool

    public init(app: AppLink?, fallback: Target?, isPassive: Bool = false, triesApp: Bool = true, copiesLink: Bool = false) {
        self.app = app
        self.fallback = fallback
        self.isPassive = isPassive
        self.triesApp = triesApp
        self.copiesLink = copiesLink
    }
}

/// A URL on the web or in a store, and how the click's id is added to it.
public enum Target: Sendable, Hashable {
    /// A page on the web, which gets `_branch_match_id`: by it the Web SDK on the page finds the click.
    case web(String)
    /// A URL without additions: a page of another store, a URL of another scheme, or a page for robots.
    case unchanged(String)
    /// A page of Google Play, which passes its `referrer` to the app on first start, so the click's id survives the install.
    case playStore(String)

    /// Whether the target is a page of an app store.
    public var isStore: Bool {
        if case .playStore = self { return true }
        return AppSettings.isStore(address)
    }

    /// The URL without additions.
    public var address: String {
        switch self {
        case .web(let url), .unchanged(let url), .playStore(let url): url
        }
    }

    public func url(clickID: String) -> String {
        switch self {
        case .unchanged(let url): url
        case .web(let url): URLParts.appending(QueryItem(name: "_branch_match_id", value: clickID), to: url)
        case .playStore(let url):
            URLParts.appending(QueryItem(name: "referrer", value: "link_click_id=" + clickID), to: url)
        }
    }
}
