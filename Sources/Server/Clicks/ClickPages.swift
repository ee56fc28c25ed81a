import Hummingbird
import Linden
import LinkRouting
import Pages

/// Turns where a click leads into an answer.
struct ClickPages {
    let services: Services

    func response(to redirection: Redirection) -> Response {
        let content = LinkContent(of: redirection.link, app: redirection.app)
        switch redirection.destination.action {
        case .redirect(let target):
            return .found(target.url(clickID: redirection.clickID))
        case .openApp(let app, let fallback):
            return .html(.interstitial(content, way(app, fallback, redirection)))
        case .deepview(let deepview) where redirection.visitor.platform == .desktop && deepview.app == nil:
            return .html(.desktop(content, transfer(redirection), showsImage: true))
        case .deepview(let deepview):
            return .html(
                .deepview(
                    content, way(deepview.app, deepview.fallback, redirection), isPassive: deepview.isPassive,
                    copied: deepview.copiesLink ? url(of: redirection) : nil))
        case .sendToPhone:
            return .html(.desktop(content, transfer(redirection)))
        case .preview:
            return .html(.preview(of: redirection.link, app: redirection.app, url: services.links.url(of: redirection.link)))
        case .nowhere:
            return .html(redirection.destination.reason == .used ? .used : .nowhere(content))
        }
    }

    private func way(_ app: AppLink?, _ fallback: Target?, _ redirection: Redirection) -> WayIntoApp {
        let fallbackURL = fallback?.url(clickID: redirection.clickID)
        let address = app?.address(clickID: redirection.clickID, fallback: fallbackURL)
        return WayIntoApp(
            address: universalLink(redirection) ?? address, automatic: address, uri: app?.uri(clickID: redirection.clickID),
            platform: redirection.visitor.platform, after: app?.afterURL, fallback: fallbackURL,
            leadsToStore: fallback?.isStore ?? false, timeout: app?.timeout ?? AppLink.standardTimeout)
    }

    /// The click on the app's second domain. iOS opens an app for a tap on a link that leads to another host than the page's own, so
    /// a button cannot use the host that the page lies on (Apple, "Supporting universal links in your app").
    private func universalLink(_ redirection: Redirection) -> String? {
        let configuration = redirection.app.app.configuration
        guard redirection.visitor.platform == .iOS, configuration["ios_team_id"] != nil, configuration["ios_bundle_id"] != nil,
            let host = configuration["alternate_short_url_domain"], host != redirection.link.address.host, redirection.isRecorded
        else { return nil }
        return services.baseURL.url(ofClick: redirection.clickID, on: host)
    }

    private func transfer(_ redirection: Redirection) -> PhoneTransfer {
        let link = redirection.link
        let whole = services.baseURL.url(of: link, appended: redirection.query)
        let url = whole.utf8.count <= Self.longestCode ? whole : url(of: redirection)
        let hasMessages = services.textMessages.isAvailable && redirection.isRecorded
        return PhoneTransfer(
            address: url, code: QRCodeDrawing.svg(of: url),
            messages: hasMessages ? ("/c/" + redirection.clickID, redirection.app.key.branchKey) : nil)
    }

    /// The click, which brings back all that was appended to the link; the link alone where no click was recorded.
    private func url(of redirection: Redirection) -> String {
        redirection.isRecorded
            ? services.baseURL.url(ofClick: redirection.clickID, on: redirection.link.address.host)
            : services.links.url(of: redirection.link)
    }

    /// In bytes. A longer link makes a code that cameras have trouble with; the click on it is as good.
    private static let longestCode = 120
}

extension BaseURL {
    /// The address that names a click: the link with all that was appended to it.
    func url(ofClick clickID: String, on host: String) -> String {
        url(of: LinkAddress(host: host, path: "c/" + clickID))
    }
}

extension Redirection {
    fileprivate var isRecorded: Bool { clickID != "0" }
}

extension Target {
    /// Whether this is where the app is to be had.
    fileprivate var isStore: Bool {
        switch self {
        case .playStore: true
        case .matchedWeb: false
        case .web(let url):
            url.hasPrefix("itms-apps:") || url.hasPrefix("market:")
                || ["apps.apple.com", "itunes.apple.com", "play.google.com"].contains(URLParts(url).host)
        }
    }
}
