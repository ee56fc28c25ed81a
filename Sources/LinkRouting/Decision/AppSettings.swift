/// What a redirect needs to know of an app. Names follow Branch's app configuration (`GET /v1/app/<branch_key>`).
public struct AppSettings: Sendable, Hashable {
    /// One platform's way into the app and past it.
    public struct PlatformSettings: Sendable, Hashable {
        /// The app's own URI scheme, without `://`.
        public var uriScheme: String?
        /// The page in the App Store or Google Play.
        public var storeURL: String?
        /// Where the operator sends people instead of the store.
        public var customURL: String?

        public init(uriScheme: String? = nil, storeURL: String? = nil, customURL: String? = nil) {
            self.uriScheme = uriScheme
            self.storeURL = storeURL
            self.customURL = customURL
        }
    }

    public var ios: PlatformSettings
    public var android: PlatformSettings
    /// Where desktops go; the default URL if nil.
    public var desktopURL: String?
    /// Where everyone goes for whom nothing better is known.
    public var defaultURL: String?
    /// Where people with Amazon's devices get the app.
    public var fireURL: String?
    /// Whether a link's labels go on to its web pages as UTM parameters.
    public var passesLabelsOn: Bool

    public init(
        ios: PlatformSettings = .init(), android: PlatformSettings = .init(), desktopURL: String? = nil, defaultURL: String? = nil,
        fireURL: String? = nil, passesLabelsOn: Bool = true
    ) {
        self.fireURL = fireURL
        self.passesLabelsOn = passesLabelsOn
        self.ios = ios
        self.android = android
        self.desktopURL = desktopURL
        self.defaultURL = defaultURL
    }
}
