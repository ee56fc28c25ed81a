/// The settings of an app that determine redirects. Names follow Branch's app configuration.
public struct AppSettings: Sendable, Hashable {
    /// The settings of one platform: how to open the app, and where to go without it.
    public struct PlatformSettings: Sendable, Hashable {
        /// The app's own URI scheme, without `://`.
        public var uriScheme: String?
        /// The app's package name on Android, which selects the app among those with the same scheme.
        public var packageName: String?
        /// The URL of the app's page in the App Store or Google Play.
        public var storeURL: String?
        /// The URL to use instead of the store; for desktops, the default URL of links without one of their own.
        public var customURL: String?
        /// Whether visitors without the app see a deepview before they go to the store.
        public var showsDeepview: Bool
        /// Whether a page's button copies the link to the clipboard, where the app finds it after its install (iOS).
        public var copiesLink: Bool

        public init(
            uriScheme: String? = nil, packageName: String? = nil, storeURL: String? = nil, customURL: String? = nil,
            showsDeepview: Bool = false, copiesLink: Bool = false
        ) {
            self.copiesLink = copiesLink
            self.uriScheme = uriScheme
            self.packageName = packageName
            self.storeURL = storeURL
            self.customURL = customURL
            self.showsDeepview = showsDeepview
        }
    }

    public var ios: PlatformSettings
    public var android: PlatformSettings
    public var desktop: PlatformSettings
    /// The URL for visitors for whom no other rule applies.
    public var defaultURL: String?
    /// The URL at which users of Amazon's devices get the app.
    public var fireURL: String?
    public var windowsPhoneURL: String?
    public var blackBerryURL: String?
    /// The default of a link's `$always_deeplink`: whether links open the app by its URI scheme.
    public var alwaysOpensApp: Bool
    /// When a page may try the URI scheme automatically, unless the link says otherwise; nil for Linden's default.
    public var uriRedirectMode: URIRedirectMode?
    /// The only web hosts that links may lead to; nil for no restriction.
    public var redirectHosts: RedirectHosts?
    /// The hosts of the app's own pages and links.
    public var ownHosts: NamedHosts
    /// Whether a link's labels are added to its web pages' URLs as UTM parameters.
    public var passesLabelsOn: Bool

    public init(
        ios: PlatformSettings = .init(), android: PlatformSettings = .init(), desktop: PlatformSettings = .init(),
        defaultURL: String? = nil, fireURL: String? = nil, windowsPhoneURL: String? = nil, blackBerryURL: String? = nil,
        alwaysOpensApp: Bool = true, uriRedirectMode: URIRedirectMode? = nil, redirectHosts: RedirectHosts? = nil,
        ownHosts: NamedHosts = NamedHosts(), passesLabelsOn: Bool = true
    ) {
        self.ios = ios
        self.android = android
        self.desktop = desktop
        self.defaultURL = defaultURL
        self.fireURL = fireURL
        self.windowsPhoneURL = windowsPhoneURL
        self.blackBerryURL = blackBerryURL
        self.alwaysOpensApp = alwaysOpensApp
        self.uriRedirectMode = uriRedirectMode
        self.redirectHosts = redirectHosts
        self.ownHosts = ownHosts
        self.passesLabelsOn = passesLabelsOn
    }

    func settings(for platform: Platform) -> PlatformSettings {
        switch platform {
        case .iOS: ios
        case .android: android
        case .desktop: desktop
        }
    }
}
