/// URLs that a visitor's address sets for a link, such as `?$fallback_url=https://example.com`.
///
/// Anyone can write such an address, so the link's host would lend its name to any site. They count only where they lead to the app's own
/// hosts, to those that the link itself names, or to a store.
extension AppSettings {
    /// Splits a query into what counts for a link and the URLs of other sites, which do not.
    ///
    /// - Parameter link: what the link stores.
    public func trusted(_ query: [QueryItem], for link: ControlParameters) -> (items: [QueryItem], refused: [URLParts]) {
        guard query.contains(where: { ControlParameters.isAppendedURL($0.name) }) else { return (query, []) }
        let hosts = link.pageHosts
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

    /// What a long link says, without the URLs of other sites: its address is all there is of it, and anyone can write one.
    public func trusted(longLink link: ControlParameters) -> (parameters: ControlParameters, refused: [URLParts]) {
        var (parameters, refused) = (link, [URLParts]())
        for key in link.keys.filter(ControlParameters.isURL) {
            guard let url = link[key] else { continue }
            let parts = URLParts(url)
            if isTrusted(parts, NamedHosts()) { continue }
            parameters.remove(key)
            refused.append(parts)
        }
        return (parameters, refused)
    }

    /// Whether a URL is an app's page in a store: other pages there may lead on to anywhere.
    private static func isStorePage(_ parts: URLParts) -> Bool {
        guard RedirectHosts.stores.contains(parts.host) else { return false }
        return parts.host == "play.google.com" ? parts.path.hasPrefix("/store/") : parts.path.split(separator: "/").contains("app")
    }

    private func isTrusted(_ parts: URLParts, _ hosts: NamedHosts) -> Bool {
        switch parts.scheme {
        case "http", "https", "itms-apps":
            Self.isStorePage(parts) || ownHosts.contains(parts.host) || hosts.contains(parts.host)
        // An intent names any app, and any address to go on to; what has no scheme takes the page's.
        case "intent", "": false
        // Neither leads to a site.
        default: true
        }
    }
}

extension ControlParameters {
    /// Whether a key is a URL that counts where it is appended only for known hosts: where visits lead, and what pages show.
    fileprivate static func isAppendedURL(_ key: String) -> Bool { isURL(key) || shownURLKeys.contains(key) }

    private static let shownURLKeys: Set<String> = [
        "$og_image_url", "$og_url", "$og_video", "$twitter_image_url", "$twitter_player", "$canonical_url",
    ]

    /// The hosts of the pages that these keys lead to or are about.
    fileprivate var pageHosts: NamedHosts {
        NamedHosts(
            keys.filter { Self.isAppendedURL($0) || $0 == "$canonical_url" }.compactMap { key in
                let parts = self[key].map(URLParts.init)
                return parts.flatMap { ["http", "https"].contains($0.scheme) ? $0.host : nil }
            })
    }
}
