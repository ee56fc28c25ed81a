/// When a page may try an app's URI scheme by itself (Branch's deep-link reference, `$uri_redirect_mode`). Browsers show an error, or
/// a question, to people who lack the app.
///
/// Android's browsers built on Chromium are given an intent instead, which goes on to the web by itself: no mode holds that back.
/// Without a mode Linden tries, because its page always has a way on.
public enum URIRedirectMode: Int, Sendable, Hashable, CaseIterable {
    case conservative = 0
    /// Only for people who are known to have the app.
    case smart = 1
    case force = 2
}

extension ControlParameters {
    /// The mode for a platform: the link's own for it, else the link's, else the app's.
    func uriRedirectMode(_ platform: Platform, _ app: AppSettings) -> URIRedirectMode? {
        let own =
            switch platform {
            case .iOS: self["$ios_uri_redirect_mode"]
            case .android: self["$android_uri_redirect_mode"]
            case .desktop: String?.none
            }
        return URIRedirectMode(own) ?? URIRedirectMode(self["$uri_redirect_mode"]) ?? app.uriRedirectMode
    }

    /// Whether it matters to a link if its visitor is known to have the app, which takes a look-up to tell.
    public func asksForApp(on platform: Platform, _ app: AppSettings) -> Bool {
        uriRedirectMode(platform, app) == .smart || platform == .iOS && self["$ios_has_app_url"] != nil
    }
}

extension URIRedirectMode {
    /// As links and apps say it, `0`, `1` or `2`.
    public init?(_ text: String?) {
        guard let mode = text.flatMap(Int.init).flatMap(URIRedirectMode.init(rawValue:)) else { return nil }
        self = mode
    }
}
