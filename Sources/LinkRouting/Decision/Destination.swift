/// Where a click leads, and why. A value: nothing has been looked up, written or sent for it.
public struct Destination: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
        /// Go there at once.
        case redirect(Target)
        /// Show a page that opens the app and falls back to the target when it does not open.
        case openApp(AppLink, fallback: Target?)
        /// Show what the link is about, with buttons.
        case deepview(Deepview)
        /// Show a desktop how the link gets onto a phone.
        case sendToPhone
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
        /// The page about the content stays until somebody presses a button.
        case deepview
        /// The page about the content is shown on the way to the app or the store.
        case passiveDeepview = "passive_deepview"
        /// The page's button puts the link onto the clipboard, where the app finds it.
        case nativeLink = "native_link"
        case webOnly = "web_only"
        case deepLinkingOff = "deep_linking_off"
        /// The mode lets no page try the app's URI scheme here.
        case schemeHeldBack = "scheme_held_back"
        /// The visitor is known to lack the app.
        case withoutApp = "without_app"
        case noApp = "no_app"
        case desktop
        /// The link was for one time, and that has been.
        case used
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
        case .openApp, .deepview: true
        case .redirect: [.noApp, .deepLinkingOff, .schemeHeldBack, .withoutApp].contains(reason)
        case .sendToPhone, .preview, .nowhere: false
        }
    }
}

/// A page about a link's content with a way into the app (Branch's deepviews and NativeLink).
public struct Deepview: Sendable, Hashable {
    /// Nil where only a Universal Link may open the app, or nothing.
    public var app: AppLink?
    /// Where the app is to be had, or what takes its place.
    public var fallback: Target?
    /// Whether the page goes to the app, else to the fallback, by itself: a passive deepview. An active one waits for its button.
    public var isPassive: Bool
    /// Whether a passive deepview tries the app at all, or only shows the content on the way past it.
    public var triesApp: Bool
    /// Whether the button puts the link onto the clipboard before it goes to the store: the iOS SDK looks there on first start.
    public var copiesLink: Bool

    public init(app: AppLink?, fallback: Target?, isPassive: Bool = false, triesApp: Bool = true, copiesLink: Bool = false) {
        self.app = app
        self.fallback = fallback
        self.isPassive = isPassive
        self.triesApp = triesApp
        self.copiesLink = copiesLink
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

    /// Whether this is where the app is to be had.
    public var isStore: Bool {
        if case .playStore = self { return true }
        return AppSettings.isStore(address)
    }

    /// Without anything added.
    public var address: String {
        switch self {
        case .web(let url), .matchedWeb(let url), .playStore(let url): url
        }
    }

    public func url(clickID: String) -> String {
        switch self {
        case .web(let url): url
        case .matchedWeb(let url): URLParts.appending(QueryItem(name: "_branch_match_id", value: clickID), to: url)
        case .playStore(let url):
            URLParts.appending(QueryItem(name: "referrer", value: "link_click_id=" + clickID), to: url)
        }
    }
}
