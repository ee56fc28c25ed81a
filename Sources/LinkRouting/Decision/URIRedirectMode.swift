/// When a page may try an app's URI scheme automatically (Branch's deep-link reference, `$uri_redirect_mode`). Browsers show an error or a
/// question to visitors who lack the app.
///
/// Browsers on Android that are built on Chromium receive an intent instead, which falls back to the web: no mode prevents that. Without a
/// mode Linden tries the scheme, because its page always offers a fallback.
public enum URIRedirectMode: Int, Sendable, Hashable, CaseIterable {
    case conservative = 0
    /// Only for visitors who are known to have the app.
    case smart = 1
    case force = 2
}

extension ControlParameters {
    /// Returns the mode for a platform: the link's for the platform, else the link's general one, else the app's.
    func uriRedirectMode(_ platform: Platform, _ app: AppSettings) -> URIRedirectMode? {
        let own =
            switch platform {
            case .iOS: self["$ios_uri_redirect_mode"]
            case .android: self["$android_uri_redirect_mode"]
            case .desktop: String?.none
            }
        return URIRedirectMode(own) ?? URIRedirectMode(self["$uri_redirect_mode"]) ?? app.uriRedirectMode
    }

    /// Whether the link's destination depends on whether the visitor has the app, which takes a lookup.
    public func asksForApp(on platform: Platform, _ app: AppSettings) -> Bool {
        uriRedirectMode(platform, app) == .smart || platform == .iOS && self["$ios_has_app_url"] != nil
    }
}

extension URIRedirectMode {
    /// Parses the value of links and settings: `0`, `1` or `2`.
    public init?(_ text: String?) {
        guard let mode = text.flatMap(Int.init).flatMap(URIRedirectMode.init(rawValue:)) else { return nil }
        self = mode
    }
}
