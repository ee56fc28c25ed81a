/// Decides where a click leads. Pure: the same link, app and visitor always give the same destination.
///
/// On every platform the link's own URL for that platform comes first, then its `$fallback_url`, then what the app's settings say
/// (Branch's deep-link reference, "precedence of fallbacks").
public func decide(link: ControlParameters, app: AppSettings, visitor: Visitor) -> Destination {
    if visitor.robot != nil { return robotDestination(link) }
    switch visitor.platform {
    case .iOS: return phoneDestination(link, app, platform: .iOS)
    case .android: return phoneDestination(link, app, platform: .android)
    case .desktop: return desktopDestination(link, app)
    }
}

private func robotDestination(_ link: ControlParameters) -> Destination {
    // Whoever made the link may keep its tags elsewhere.
    guard let url = firstAllowed(link["$og_redirect"], link["$fallback_url"]) else {
        return Destination(.preview, reason: .robotPreview)
    }
    return Destination(.redirect(.web(url)), reason: .robotFallback)
}

private func desktopDestination(_ link: ControlParameters, _ app: AppSettings) -> Destination {
    let url = linkURL(link, app, "$desktop_url") ?? firstAllowed(app.desktopURL, app.defaultURL)
    return Destination(url.map { .redirect(.matchedWeb($0)) } ?? .nowhere, reason: .desktop)
}

private func phoneDestination(_ link: ControlParameters, _ app: AppSettings, platform: Platform) -> Destination {
    let isIOS = platform == .iOS
    let settings = isIOS ? app.ios : app.android
    let fallback = phoneFallback(link, app, settings, urlKey: isIOS ? "$ios_url" : "$android_url", platform: platform)

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
        scheme: scheme, path: path, timeout: timeout(link, isIOS ? "$ios_redirect_timeout" : "$android_redirect_timeout"))
    return Destination(.openApp(app, fallback: fallback), reason: .app)
}

private func phoneFallback(
    _ link: ControlParameters, _ app: AppSettings, _ settings: AppSettings.PlatformSettings, urlKey: String, platform: Platform
) -> Target? {
    if let url = linkURL(link, app, urlKey) ?? allowed(settings.customURL) { return .web(url) }
    if let store = allowed(settings.storeURL) { return platform == .android ? .playStore(store) : .web(store) }
    return allowed(app.defaultURL).map { .web($0) }
}

/// The link's own page for a platform, else its page for all of them, told by its labels where people come from.
private func linkURL(_ link: ControlParameters, _ app: AppSettings, _ key: String) -> String? {
    guard let url = firstAllowed(link[key], link["$fallback_url"]) else { return nil }
    return app.passesLabelsOn ? withLabels(of: link, url) : url
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
