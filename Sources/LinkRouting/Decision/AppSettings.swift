/// What a redirect needs to know of an app. Names follow Branch's app configuration (`GET /v1/app/<branch_key>`).
public struct AppSettings: Sendable, Hashable {
    /// One platform's way into the app and past it.
    public struct PlatformSettings: Sendable, Hashable {
        /// The app's own URI scheme, without `://`.
        public var uriScheme: String?
        /// Android's name of the app, by which the system finds it among those with the same scheme.
        public var packageName: String?
        /// The page in the App Store or Google Play.
        public var storeURL: String?
        /// Where the operator sends people instead of the store; of desktops, all who have no better place.
        public var customURL: String?
        /// Whether people who lack the app see what a link is about before they leave for the store.
        public var showsDeepview: Bool
        /// Whether a page's button puts the link onto the clipboard, where the app finds it after its install (iOS).
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
    /// Where everyone goes for whom nothing better is known.
    public var defaultURL: String?
    /// Where people with Amazon's devices get the app.
    public var fireURL: String?
    public var windowsPhoneURL: String?
    public var blackBerryURL: String?
    /// Whether links open the app by its URI scheme unless they say otherwise.
    public var alwaysOpensApp: Bool
    /// When a page may try the URI scheme by itself, where a link does not say; nil leaves it to Linden.
    public var uriRedirectMode: URIRedirectMode?
    /// The only web hosts that links may lead to.
    public var redirectHosts: RedirectHosts?
    /// The hosts of the app's own pages and links.
    public var ownHosts: NamedHosts
    /// Whether a link's labels go on to its web pages as UTM parameters.
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
