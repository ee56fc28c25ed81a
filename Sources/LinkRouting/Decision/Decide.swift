/// Decides where a click leads. Pure: the same link, app and visitor always give the same destination.
///
/// On every platform the link's own URL for that platform comes first, then its `$fallback_url`, then what the app's settings say
/// (Branch's deep-link reference, "precedence of fallbacks").
public func decide(link: ControlParameters, app: AppSettings, visitor: Visitor) -> Destination {
    // Somebody may be about to see what is loaded ahead, so it is what he would get.
    if let robot = visitor.robot, robot != .prefetch { return robotDestination(link) }
    switch visitor.platform {
    case .iOS, .android: return phoneDestination(link, app, visitor)
    case .desktop: return desktopDestination(link, app, visitor)
    }
}

private func robotDestination(_ link: ControlParameters) -> Destination {
    // Whoever made the link may keep its tags elsewhere.
    guard let url = firstAllowed(link["$og_redirect"], link["$fallback_url"]) else {
        return Destination(.preview, reason: .robotPreview)
    }
    return Destination(.redirect(.web(url)), reason: .robotFallback)
}

private func desktopDestination(_ link: ControlParameters, _ app: AppSettings, _ visitor: Visitor) -> Destination {
    let url = linkURL(link, app, visitor) ?? firstAllowed(app.desktopURL, app.defaultURL)
    return Destination(url.map { .redirect(.matchedWeb($0)) } ?? .nowhere, reason: .desktop)
}

private func phoneDestination(_ link: ControlParameters, _ app: AppSettings, _ visitor: Visitor) -> Destination {
    let isIOS = visitor.platform == .iOS
    let settings = isIOS ? app.ios : app.android
    let fallback = phoneFallback(link, app, settings, visitor)

    func straight(_ reason: Destination.Reason) -> Destination {
        Destination(fallback.map { .redirect($0) } ?? .nowhere, reason: reason)
    }

    guard !link.flag("$web_only", default: false), !link.flag("$mobile_web_only", default: false) else {
        return straight(.webOnly)
    }
    guard let scheme = settings.uriScheme else { return straight(.noApp) }
    guard link.flag("$always_deeplink", default: true) else { return straight(.deepLinkingOff) }
    let path = link[isIOS ? "$ios_deeplink_path" : "$android_deeplink_path"] ?? link["$deeplink_path"] ?? "open"
    let app = AppLink(
        scheme: scheme, path: path, timeout: timeout(link, isIOS ? "$ios_redirect_timeout" : "$android_redirect_timeout"),
        afterURL: isIOS ? allowed(link["$after_click_url"]) : nil)
    return Destination(.openApp(app, fallback: fallback), reason: .app)
}

private func phoneFallback(
    _ link: ControlParameters, _ app: AppSettings, _ settings: AppSettings.PlatformSettings, _ visitor: Visitor
) -> Target? {
    if let url = linkURL(link, app, visitor) { return .web(onTheWeb(url, link)) }
    // Amazon's devices have Amazon's store and no other.
    if visitor.device == .fireTablet || visitor.device == .fireTV {
        return firstAllowed(app.fireURL, app.defaultURL).map { .web($0) }
    }
    if let url = allowed(settings.customURL) { return .web(url) }
    if let store = allowed(settings.storeURL) {
        return visitor.platform == .android ? .playStore(store) : .web(onTheWeb(store, link))
    }
    return allowed(app.defaultURL).map { .web($0) }
}

/// The link's own page for a visitor, else its page for all, told by its labels where people come from.
private func linkURL(_ link: ControlParameters, _ app: AppSettings, _ visitor: Visitor) -> String? {
    guard let url = visitor.urlKeys.lazy.compactMap({ allowed(link[$0]) }).first else { return nil }
    return app.passesLabelsOn ? withLabels(of: link, url) : url
}

/// The App Store's page on the web in place of the store's own app, which some apps with a browser do not open
/// (Branch's guide to creating a deep link, `$use_https_app_store`).
private func onTheWeb(_ store: String, _ link: ControlParameters) -> String {
    guard link.flag("$use_https_app_store", default: false), store.hasPrefix("itms-apps://") else { return store }
    return "https://" + store.dropFirst("itms-apps://".count)
}

extension Visitor {
    /// The keys of a link that are for this visitor, the most particular first (Branch's deep-link reference and Quick Links API).
    /// Three of them a link may hold by country as well: `$ios_url_de` comes before `$ios_url`.
    fileprivate var urlKeys: [String] {
        let keys = deviceKeys + ["$fallback_url"]
        guard let country else { return keys }
        return keys.flatMap { key in
            ["$ios_url", "$android_url", "$fallback_url"].contains(key) ? [key + "_" + country.lowercased(), key] : [key]
        }
    }

    private var deviceKeys: [String] {
        var keys: [String] = []
        switch platform {
        case .iOS:
            if inAppBrowser == .weChat { keys.append("$ios_wechat_url") }
            if device == .iPad { keys.append("$ipad_url") }
            keys.append("$ios_url")
        case .android:
            if inAppBrowser == .weChat { keys.append("$android_wechat_url") }
            switch (device, maker) {
            case (.fireTablet, _), (.fireTV, _): keys.append("$fire_url")
            case (_, .samsung): keys.append("$samsung_url")
            case (_, .huawei): keys.append("$huawei_url")
            default: break
            }
            keys.append("$android_url")
        case .desktop:
            switch device {
            case .windows: keys.append("$windows_desktop_url")
            case .mac: keys.append("$mac_desktop_url")
            case .windowsPhone: return ["$windows_phone_url"]
            case .blackBerry: return ["$blackberry_url"]
            case .harmony: keys.append("$huawei_url")
            default: break
            }
            keys.append("$desktop_url")
        }
        return keys
    }
}

/// Adds a link's labels to a web page's address as UTM parameters, which analytics on that page read; those it has already stay
/// (Branch's deep-link reference, "UTM tags").
private func withLabels(of link: ControlParameters, _ url: String) -> String {
    guard url.hasPrefix("http") else { return url }
    let present = Set(URLParts(url).queryItems.map(\.name))
    var url = url
    for (label, name) in [("~campaign", "utm_campaign"), ("~channel", "utm_source"), ("~feature", "utm_medium")] {
        guard let value = link[label], !present.contains(name) else { continue }
        url = URLParts.appending(QueryItem(name: name, value: value), to: url)
    }
    return url
}

/// What a link says of how long to wait for its app; at most as long as anybody would.
private func timeout(_ link: ControlParameters, _ key: String) -> Int {
    guard let milliseconds = link[key].flatMap(Int.init), (0...10_000).contains(milliseconds) else {
        return AppLink.standardTimeout
    }
    return milliseconds
}

private func firstAllowed(_ candidates: String?...) -> String? {
    candidates.lazy.compactMap(allowed).first
}

/// A URL that a browser may be sent to, made fit for a header; nil for anything else. Link data is written by whoever may mint a
/// link, so `javascript:`, `data:` and `file:` never pass.
func allowed(_ url: String?) -> String? {
    guard let url else { return nil }
    let parts = URLParts(url)
    let isWeb = ["http", "https"].contains(parts.scheme) && !parts.host.isEmpty
    guard isWeb || ["intent", "itms-apps", "market"].contains(parts.scheme) else { return nil }
    return PercentCoding.encodeIllegal(url)
}
