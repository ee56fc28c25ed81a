/// Decides where a click leads. Pure: the same link, app and visitor always give the same destination.
///
/// On every platform the link's own URL for that platform comes first, then a deepview, then the link's `$fallback_url`, then what the
/// app's settings say (Branch's deep-link reference, "precedence of fallbacks").
///
/// - Parameter urls: the link's, if they were worked out before.
public func decide(link: ControlParameters, app: AppSettings, visitor: Visitor, urls: LinkURLs? = nil) -> Destination {
    // Somebody may be about to see what is loaded ahead, so it is what he would get.
    if let robot = visitor.robot, robot != .prefetch { return robotDestination(link, app) }
    let decision = Decision(link: link, app: app, visitor: visitor, urls: urls)
    return visitor.platform == .desktop ? decision.onDesktop : decision.onPhone
}

private func robotDestination(_ link: ControlParameters, _ app: AppSettings) -> Destination {
    // Whoever made the link may keep its tags elsewhere.
    guard let url = app.allowed(link["$og_redirect"]) ?? app.allowed(link["$fallback_url"]) else {
        return Destination(.preview, reason: .robotPreview)
    }
    return Destination(.redirect(.web(url)), reason: .robotFallback)
}

/// One decision for a person.
private struct Decision {
    let link: ControlParameters
    let app: AppSettings
    let visitor: Visitor
    var urls: LinkURLs?

    var onDesktop: Destination {
        let own = linkURL(visitor.urlKeys)
        let fallback = (own ?? linkURL(visitor.fallbackKeys) ?? settingsURL).map { Target.matchedWeb($0) }
        let appLink = isWebOnly ? nil : appLink
        // The page has everything: the content, the app, the way onto a phone and the way past them.
        if showsDeepview, own == nil {
            return Destination(.deepview(Deepview(app: appLink, fallback: fallback)), reason: .deepview)
        }
        if let appLink, let fallback {
            return mayTryScheme ? opening(appLink, fallback) : Destination(.redirect(fallback), reason: .schemeHeldBack)
        }
        if let fallback { return Destination(.redirect(fallback), reason: .desktop) }
        // Nothing to go on to: a page that stays is better than one that tries.
        return Destination(appLink.map { .deepview(Deepview(app: $0, fallback: nil)) } ?? .sendToPhone, reason: .desktop)
    }

    var onPhone: Destination {
        if isWebOnly { return Destination(webFallback.map { .redirect($0) } ?? .nowhere, reason: .webOnly) }
        let fallback = phoneFallback
        // Both wait for a button; no mode makes them try the app by themselves.
        if visitor.platform == .iOS, link.flag("$ios_nativelink", default: settings.copiesLink), let fallback {
            return Destination(.deepview(Deepview(app: appLink, fallback: fallback, copiesLink: true)), reason: .nativeLink)
        }
        if showsDeepview, linkURL(visitor.urlKeys) == nil {
            return Destination(.deepview(Deepview(app: appLink, fallback: fallback)), reason: .deepview)
        }
        guard settings.uriScheme != nil else { return past(fallback, reason: .noApp) }
        guard let appLink else { return past(fallback, reason: .deepLinkingOff) }
        guard mayTryScheme else {
            return past(fallback, appLink, reason: visitor.hasApp == false ? .withoutApp : .schemeHeldBack)
        }
        return opening(appLink, fallback)
    }

    private func opening(_ appLink: AppLink, _ fallback: Target?) -> Destination {
        guard isOn(passive: true) == true else { return Destination(.openApp(appLink, fallback: fallback), reason: .app) }
        return Destination(.deepview(Deepview(app: appLink, fallback: fallback, isPassive: true)), reason: .passiveDeepview)
    }

    /// Past the app, on a passive deepview where one is wanted. Safari is left with an empty page where it is redirected to the App Store
    /// and its user stays, so there it is wanted unless the link says otherwise.
    private func past(_ fallback: Target?, _ appLink: AppLink? = nil, reason: Destination.Reason) -> Destination {
        guard let fallback else { return Destination(.nowhere, reason: reason) }
        let isKnownBlank = appLink != nil && visitor.platform == .iOS && visitor.leavesBlankPages && fallback.isStore
        guard isOn(passive: true) ?? isKnownBlank else { return Destination(.redirect(fallback), reason: reason) }
        return Destination(
            .deepview(Deepview(app: appLink, fallback: fallback, isPassive: true, triesApp: false)), reason: reason)
    }

    var isWebOnly: Bool {
        link.flag("$web_only", default: false)
            || link.flag(visitor.platform == .desktop ? "$desktop_web_only" : "$mobile_web_only", default: false)
    }

    // MARK: Into the app

    private var settings: AppSettings.PlatformSettings { app.settings(for: visitor.platform) }

    /// Nil if the app has no scheme here, or the link is not to use it.
    var appLink: AppLink? {
        guard let scheme = settings.uriScheme, link.flag("$always_deeplink", default: app.alwaysOpensApp) else { return nil }
        let key =
            switch visitor.platform {
            case .iOS: "$ios_deeplink_path"
            case .android: "$android_deeplink_path"
            case .desktop: "$desktop_deeplink_path"
            }
        let afterKey: String? =
            switch visitor.platform {
            case .iOS: "$after_click_url"
            case .android: nil
            case .desktop: "$afterclick_desktop_url"
            }
        return AppLink(
            scheme: scheme, path: link[key] ?? link["$deeplink_path"] ?? "open", packageName: settings.packageName,
            opensByIntent: visitor.takesIntents, timeout: timeout, afterURL: afterKey.flatMap { app.allowed(link[$0]) })
    }

    /// Milliseconds that the link says to wait for its app; at most as long as anybody would.
    private var timeout: Int {
        let key = visitor.platform == .android ? "$android_redirect_timeout" : "$ios_redirect_timeout"
        guard visitor.platform != .desktop else { return AppLink.desktopTimeout }
        guard let milliseconds = link[key].flatMap(Int.init), (0...10_000).contains(milliseconds) else {
            return AppLink.standardTimeout
        }
        return milliseconds
    }

    private var mayTryScheme: Bool {
        switch link.uriRedirectMode(visitor.platform, app) {
        case _ where visitor.takesIntents: true
        case .force: true
        case .conservative: false
        case .smart: visitor.hasApp == true
        // A web view on Android shows an error in place of the page for a scheme that it does not know.
        case nil where visitor.platform == .android && visitor.inAppBrowser != nil: visitor.hasApp == true
        case nil: visitor.hasApp != false
        }
    }

    // MARK: Deepviews

    /// Whether an active deepview is to be shown, unless the link has a page of its own for the platform.
    private var showsDeepview: Bool { !isWebOnly && isOn(passive: false) ?? settings.showsDeepview }

    /// What a link says of its deepviews: the name of a template, of which Linden has one, or `false`; nil if it says nothing.
    private func isOn(passive isPassive: Bool) -> Bool? {
        let key =
            switch visitor.platform {
            case .iOS: isPassive ? "$ios_passive_deepview" : "$ios_deepview"
            case .android: isPassive ? "$android_passive_deepview" : "$android_deepview"
            case .desktop: isPassive ? "$desktop_passive_deepview" : "$desktop_deepview"
            }
        return link[key].map { !["false", "0", "no"].contains($0.lowercased()) }
    }

    // MARK: Past the app

    private var phoneFallback: Target? {
        if let own = linkURL(visitor.urlKeys) ?? linkURL(visitor.fallbackKeys) { return place(own) }
        // Amazon's devices have Amazon's store and no other.
        if visitor.device == .fireTablet || visitor.device == .fireTV {
            return (app.redirectable(app.fireURL) ?? app.redirectable(app.defaultURL)).map { .web($0) }
        }
        if let url = app.redirectable(settings.customURL) { return place(url) }
        if let store = app.redirectable(settings.storeURL) {
            return visitor.platform == .android ? .playStore(store) : link.onTheWeb(store).map { .web($0) }
        }
        return app.redirectable(app.defaultURL).map { .web($0) }
    }

    /// The web before the store, for whoever is not to open the app.
    private var webFallback: Target? {
        let web = linkURL(visitor.urlKeys) ?? linkURL(visitor.fallbackKeys) ?? app.redirectable(settings.customURL)
        return (web ?? app.redirectable(app.defaultURL)).map(place) ?? phoneFallback
    }

    /// A page of Google Play for this app hands over the click, whoever named it.
    private func place(_ url: String) -> Target {
        visitor.platform == .android && AppSettings.isPlayStore(url, of: settings.packageName) ? .playStore(url) : .web(url)
    }

    private var settingsURL: String? {
        let own =
            switch visitor.device {
            case .windowsPhone: app.windowsPhoneURL
            case .blackBerry: app.blackBerryURL
            default: app.desktop.customURL
            }
        return app.redirectable(own) ?? app.redirectable(app.defaultURL)
    }

    /// The first of a link's pages.
    private func linkURL(_ keys: [String]) -> String? {
        for key in keys {
            if let page = urls.map({ $0[key] }) ?? link.page(key, app) { return page }
        }
        return nil
    }
}

extension ControlParameters {
    /// Where the link leads in the app on a phone, for other apps that open apps: no browser's mode matters to them. Nil if the link is
    /// not to open it.
    public func appLink(on platform: Platform, _ app: AppSettings) -> AppLink? {
        let decision = Decision(link: self, app: app, visitor: Visitor(platform: platform))
        return decision.isWebOnly ? nil : decision.appLink
    }

    /// A page that the link holds under a key, told by the link's labels where people come from; nil for none, and for one that the app's
    /// links may not lead to.
    func page(_ key: String, _ app: AppSettings) -> String? {
        guard let url = onTheWeb(self[key]) else { return nil }
        let parts = URLParts(url)
        guard let allowed = app.allowed(url, parts) else { return nil }
        return app.passesLabelsOn && !AppSettings.isStore(parts) ? withLabels(allowed, parts) : allowed
    }

    /// The App Store's page on the web in place of the store's own app, which some apps with a browser do not open
    /// (Branch's guide to creating a deep link, `$use_https_app_store`).
    fileprivate func onTheWeb(_ url: String?) -> String? {
        guard let url, flag("$use_https_app_store", default: false), url.hasPrefix("itms-apps://") else { return url }
        return "https://" + url.dropFirst("itms-apps://".count)
    }

    /// Adds a link's labels to a web page's address as UTM parameters, which analytics on that page read; those it has already stay
    /// (Branch's deep-link reference, "UTM tags").
    fileprivate func withLabels(_ url: String, _ parts: URLParts) -> String {
        guard parts.scheme.hasPrefix("http") else { return url }
        let present = parts.queryItems
        var url = url
        for (label, name) in [("~campaign", "utm_campaign"), ("~channel", "utm_source"), ("~feature", "utm_medium")] {
            guard let value = self[label], !present.contains(where: { $0.name == name }) else { continue }
            url = URLParts.appending(QueryItem(name: name, value: value), to: url)
        }
        return url
    }
}
