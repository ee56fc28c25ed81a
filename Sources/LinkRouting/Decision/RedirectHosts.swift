/// The web hosts that an app's links may lead to, such as `example.com` and `*.example.com`, which matches all its subdomains (Branch's
/// advanced link configuration, "redirect allowlist").
///
/// Anyone with the public key can create links: without a list, a link host is an open redirect. URLs appended to a link are restricted
/// even without a list, see ``AppSettings/trusted(_:naming:)``.
public struct RedirectHosts: Sendable, Hashable {
    private let names: Set<String>
    /// The ends of names, such as `.example.com`. They are compared as bytes: each URL of a link with each of them.
    private let parents: [[UInt8]]

    public init(_ patterns: [String]) {
        let patterns = patterns.map { $0.lowercased() }
        names = Set(patterns.filter { !$0.hasPrefix("*.") })
        parents = patterns.filter { $0.hasPrefix("*.") }.map { Array($0.utf8.dropFirst()) }
    }

    func contains(_ parts: URLParts) -> Bool {
        let host = parts.host
        guard host.utf8.count <= URLParts.maximumHostBytes else { return false }
        if names.contains(host) || Self.stores.contains(host) { return true }
        guard parts.hasHostName else { return false }
        let bytes = Array(host.utf8)
        return parents.contains { bytes.count >= $0.count && bytes[(bytes.count - $0.count)...].elementsEqual($0) }
    }

    /// The stores' hosts, which are always allowed: leading to them is the purpose of links.
    static let stores: Set<String> = ["apps.apple.com", "itunes.apple.com", "play.google.com"]
}

extension AppSettings {
    /// Whether a URL is a page of the App Store or Google Play.
    static func isStore(_ url: String) -> Bool { isStore(URLParts(url)) }

    static func isStore(_ parts: URLParts) -> Bool {
        ["itms-apps", "market"].contains(parts.scheme) || RedirectHosts.stores.contains(parts.host)
    }

    /// Whether a URL is an app's own page in Google Play without a referrer.
    static func isPlayStore(_ parts: URLParts, of packageName: String?) -> Bool {
        guard let packageName else { return false }
        guard parts.host == "play.google.com", parts.path == "/store/apps/details" else { return false }
        let query = parts.query ?? ""
        return URLParts.firstValue(of: "id", in: query) == packageName && !URLParts.hasItem(named: "referrer", in: query)
    }
}

extension AppSettings {
    /// Returns a URL of link data that a browser may be sent to, encoded for a header; nil for any other. Link data is untrusted, because
    /// anyone with the public key can create links: `javascript:`, `data:` and `file:` never pass.
    func allowed(_ url: String?) -> String? {
        guard let url else { return nil }
        return allowed(url, URLParts(url))
    }

    func allowed(_ url: String, _ parts: URLParts) -> String? {
        guard let url = redirectable(url, parts) else { return nil }
        guard let redirectHosts else { return url }
        switch parts.scheme {
        // An intent may name any app and any fallback URL.
        case "intent": return nil
        case "http", "https", "itms-apps": return redirectHosts.contains(parts) ? url : nil
        default: return url
        }
    }

    /// Whether links of the app may lead to a URL.
    public func allows(_ url: String) -> Bool { allowed(url) != nil }

    /// Whether a browser can be sent to a URL at all, regardless of the app's list of hosts.
    public func canRedirect(to url: String) -> Bool { redirectable(url) != nil }

    /// Returns a URL of the app's own settings, encoded for a header, regardless of the app's list of hosts; nil for a scheme that is not
    /// allowed.
    func redirectable(_ url: String?) -> String? {
        guard let url else { return nil }
        return redirectable(url, URLParts(url))
    }

    private func redirectable(_ url: String, _ parts: URLParts) -> String? {
        guard isWeb(parts) || ["intent", "itms-apps", "market"].contains(parts.scheme) || isOwnScheme(parts.scheme) else {
            return nil
        }
        return PercentCoding.encodeIllegal(url)
    }

    private func isWeb(_ parts: URLParts) -> Bool { ["http", "https"].contains(parts.scheme) && !parts.host.isEmpty }

    private func isOwnScheme(_ scheme: String) -> Bool {
        [ios, android, desktop].contains { $0.uriScheme?.lowercased() == scheme }
    }
}

extension ControlParameters {
    /// Returns the keys, sorted, whose URLs the app's list of hosts disallows; empty without a list.
    public func disallowedRedirectKeys(_ app: AppSettings) -> [String] {
        guard app.redirectHosts != nil else { return [] }
        return keys.filter { key in
            Self.isURL(key) && self[key].map { app.redirectable($0) != nil && app.allowed($0) == nil } == true
        }.sorted()
    }

    /// The keys of pages that visits may lead to.
    var pageKeys: [String] { keys.filter { Self.isURL($0) && !Self.otherURLKeys.contains($0) } }

    static func isURL(_ key: String) -> Bool {
        urlKeys.contains(key) || isURLByCountry(key)
    }

    /// Whether a key holds a page for visitors from one country, such as `$ios_url_de`.
    static func isURLByCountry(_ key: String) -> Bool {
        ["$fallback_url_", "$ios_url_", "$android_url_"].contains(where: key.hasPrefix)
    }

    /// Keys of pages for robots, and for visitors who return from the app.
    private static let otherURLKeys: Set<String> = ["$after_click_url", "$afterclick_desktop_url", "$og_redirect"]

    private static let urlKeys: Set<String> = [
        "$fallback_url", "$desktop_url", "$windows_desktop_url", "$mac_desktop_url", "$ios_url", "$ios_has_app_url", "$ipad_url",
        "$android_url", "$samsung_url", "$huawei_url", "$fire_url", "$windows_phone_url", "$blackberry_url", "$ios_wechat_url",
        "$android_wechat_url", "$after_click_url", "$afterclick_desktop_url", "$og_redirect",
    ]
}
