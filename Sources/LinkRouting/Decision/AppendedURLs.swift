/// Checks of URLs that a visitor's address sets for a link, such as `?$fallback_url=https://example.com`.
///
/// Anyone can write such an address, which would make the link's host an open redirect. These URLs count only if they lead to the app's own
/// hosts, to hosts that the link itself names, or to a store.
extension AppSettings {
    /// Splits a query into the items that count for a link and the URLs of other sites, which are refused.
    ///
    /// - Parameter hosts: the ``ControlParameters/pageHosts`` of the parameters that the link stores; empty for a long link, which stores
    ///   none.
    public func trusted(_ query: [QueryItem], naming hosts: NamedHosts) -> (items: [QueryItem], refused: [URLParts]) {
        guard query.contains(where: { ControlParameters.isAppendedURL($0.name) }) else { return (query, []) }
        var refused: [URLParts] = []
        let items = query.filter { item in
            guard ControlParameters.isAppendedURL(item.name), !item.value.isEmpty else { return true }
            let parts = URLParts(item.value)
            guard !isTrusted(parts, hosts) else { return true }
            refused.append(parts)
            return false
        }
        return (items, refused)
    }

    /// Returns a long link's parameters without URLs of other sites, and those URLs. A long link consists of its address alone, and anyone
    /// can write one, so it names no hosts: neither destinations nor shown URLs of other sites remain.
    public func trusted(longLink link: ControlParameters) -> (parameters: ControlParameters, refused: [URLParts]) {
        var (parameters, refused) = (link, [URLParts]())
        for key in link.keys.filter(ControlParameters.isAppendedURL) {
            guard let url = link[key] else { continue }
            let parts = URLParts(url)
            if isTrusted(parts, NamedHosts()) { continue }
            parameters.remove(key)
            refused.append(parts)
        }
        return (parameters, refused)
    }

    /// Whether a long link may show a text on the app's pages: not if it is, or contains, a URL of another site.
    public func mayShow(_ text: String) -> Bool {
        // Browsers ignore white space in a URL, read a backslash as a slash, and need no slashes after `https:`.
        let backslash = UInt8(ascii: "\\")
        let bytes = text.utf8.filter { $0 > UInt8(ascii: " ") }.map { $0 == backslash ? UInt8(ascii: "/") : $0 }
        let url = String(decoding: bytes, as: UTF8.self)
        // White space may have kept runs of combining marks apart, which are slow to compare.
        guard !CombiningMarks.hasLongRun(url) else { return false }
        let parts = URLParts(url)
        if parts.host.isEmpty { return !url.hasBytes(of: "//") && !["http", "https"].contains(parts.scheme) }
        return isTrusted(parts, NamedHosts())
    }

    /// Whether a URL of a store's host is an app's page. Other pages of stores are excluded, because they may redirect anywhere.
    ///
    /// A path with dot segments is not: browsers resolve `/store/../url` to `/url`, also with `%2e` for a dot.
    private static func isStorePage(_ parts: URLParts) -> Bool {
        guard !hasDotSegments(parts.path) else { return false }
        return parts.host == "play.google.com" ? parts.path.hasPrefix("/store/") : parts.path.split(separator: "/").contains("app")
    }

    /// Whether a path has a segment `.` or `..`, in any spelling: dots and separators may be percent-encoded, and a backslash separates.
    private static func hasDotSegments(_ path: String) -> Bool {
        PercentCoding.decode(path).utf8
            .split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            .contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }

    private func isTrusted(_ parts: URLParts, _ hosts: NamedHosts) -> Bool {
        switch parts.scheme {
        case "http", "https", "itms-apps":
            // A store's page in the settings or the link does not make the store's redirecting pages trusted.
            if RedirectHosts.stores.contains(parts.host) {
                Self.isStorePage(parts)
            } else {
                (ownHosts.contains(parts.host) || hosts.contains(parts.host)) && parts.hasHostName
            }
        // An intent may name any app and any fallback URL; a URL without a scheme resolves against the page's.
        case "intent", "": false
        // Other schemes do not lead to a web site.
        default: true
        }
    }
}

extension ControlParameters {
    /// Whether a key holds a URL that counts only for trusted hosts when appended: destinations of visits, and URLs shown on pages.
    public static func isAppendedURL(_ key: String) -> Bool {
        key.ifASCII.map { isURL($0) || shownURLKeys.contains($0) } ?? false
    }

    private static let shownURLKeys: Set<String> = [
        "$og_image_url", "$og_url", "$og_video", "$twitter_image_url", "$twitter_player", "$canonical_url",
    ]

    /// The http and https hosts of the link's own URLs under these keys. Takes time proportional to the number of keys.
    public var pageHosts: NamedHosts {
        NamedHosts(
            keys.filter { Self.isAppendedURL($0) || $0 == "$canonical_url" }.compactMap { key in
                let parts = self[key].map(URLParts.init)
                return parts.flatMap { ["http", "https"].contains($0.scheme) ? $0.host : nil }
            })
    }
}
