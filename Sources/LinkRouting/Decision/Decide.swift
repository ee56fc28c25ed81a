/// Returns the destination of a click. Pure: the same link, app and visitor always give the same destination.
///
/// On every platform the link's own URL for that platform comes first, then a deepview, then the link's `$fallback_url`, then the app's
/// settings (Branch's deep-link reference, "precedence of fallbacks").
///
/// - Parameter urls: the link's pages, if they were computed before.
public func decide(link: ControlParameters, app: AppSettings, visitor: Visitor, urls: LinkURLs? = nil) -> Destination {
    decide(link: link, app: app, visitor: VisitorClass(visitor), urls: urls)
}

/// Returns the destination of a click by a visitor of a class.
public func decide(link: ControlParameters, app: AppSettings, visitor: VisitorClass, urls: LinkURLs? = nil) -> Destination {
    if visitor.isRobot { return robotDestination(link, app) }
    let decision = Decision(link: link, app: app, visitor: visitor, urls: urls)
    return visitor.platform == .desktop ? decision.onDesktop : decision.onPhone
}

private func robotDestination(_ link: ControlParameters, _ app: AppSettings) -> Destination {
    // The link's creator may keep its preview tags on another page.
    guard let url = app.allowed(link["$og_redirect"]) ?? app.allowed(link["$fallback_url"]) else {
        return Destination(.preview, reason: .robotPreview)
    }
    return Destination(.redirect(.unchanged(url)), reason: .robotFallback)
}

/// The decision for a visitor who is not a robot.
private struct Decision {
    let link: ControlParameters
    let app: AppSettings
    let visitor: VisitorClass
    var urls: LinkURLs?

    var onDesktop: Destination {
        let own = linkURL(visitor.urlKeys)
        let fallback = (own ?? linkURL(visitor.fallbackKeys) ?? settingsURL).map(target)
        let appLink = isWebOnly ? nil : appLink
        // The deepview offers everything: the content, the app, the transfer to a phone and the fallback.
        if showsDeepview, own == nil {
            return Destination(.deepview(Deepview(app: appLink, fallback: fallback)), reason: .deepview)
        }
        if let appLink, let fallback {
            return mayTryScheme ? opening(appLink, fallback) : Destination(.redirect(fallback), reason: .schemeHeldBack)
        }
        if let fallback { return Destination(.redirect(fallback), reason: .desktop) }
        // Without a fallback, a page that waits for its button is better than one that tries the app.
        return Destination(appLink.map { .deepview(Deepview(app: $0, fallback: nil)) } ?? .sendToPhone, reason: .desktop)
    }

    var onPhone: Destination {
        if isWebOnly { return Destination(webFallback.map { .redirect($0) } ?? .nowhere, reason: .webOnly) }
        let fallback = phoneFallback
        // Both pages wait for a button; no mode makes them try the app automatically.
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

    /// Returns the destination past the app, by a passive deepview if one is wanted. Safari and Facebook's browsers on iOS show an empty
    /// page after a redirect to the App Store if the visitor stays, so there a deepview is the default for links that would open the app.
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

    /// The link into the app; nil if the app has no scheme on the platform, or the link must not use it.
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

    /// Milliseconds to wait for the app: on phones the link's value if it is from 0 to 10,000, else ``AppLink/standardTimeout``.
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
        // A web view on Android replaces the page with an error for an unknown scheme.
        case nil where visitor.platform == .android && visitor.isInApp: visitor.hasApp == true
        case nil: visitor.hasApp != false
        }
    }

    // MARK: Deepviews

    /// Whether an active deepview is wanted; callers prefer the link's own page for the platform.
    private var showsDeepview: Bool { !isWebOnly && isOn(passive: false) ?? settings.showsDeepview }

    /// Returns the link's setting of its deepview: true for the name of a template (all names mean Linden's only one), false for `false`,
    /// nil if it is not set.
    private func isOn(passive isPassive: Bool) -> Bool? {
        let key =
            switch visitor.platform {
            case .iOS: isPassive ? "$ios_passive_deepview" : "$ios_deepview"
            case .android: isPassive ? "$android_passive_deepview" : "$android_deepview"
            case .desktop: isPassive ? "$desktop_passive_deepview" : "$desktop_deepview"
            }
        return link[key].map { !["false", "0", "no"].contains($0.switchWord) }
    }

    // MARK: Past the app

    private var phoneFallback: Target? {
        if let own = linkURL(visitor.urlKeys) ?? linkURL(visitor.fallbackKeys) { return target(own) }
        // Amazon's devices have only Amazon's store.
        if visitor.device == .fireTablet || visitor.device == .fireTV {
            return (app.redirectable(app.fireURL) ?? app.redirectable(app.defaultURL)).map(target)
        }
        if let url = app.redirectable(settings.customURL) { return target(url) }
        if let store = app.redirectable(settings.storeURL) {
            return visitor.platform == .android ? .playStore(store) : link.onTheWeb(store).map { .unchanged($0) }
        }
        return app.redirectable(app.defaultURL).map(target)
    }

    /// The fallback of a visitor for whom the app must not be opened: the web before the store.
    private var webFallback: Target? {
        let web = linkURL(visitor.urlKeys) ?? linkURL(visitor.fallbackKeys) ?? app.redirectable(settings.customURL)
        return (web ?? app.redirectable(app.defaultURL)).map(target) ?? phoneFallback
    }

    /// Returns the target of a URL. The app's own page in Google Play passes on the click id, whether the link or the settings name it.
    private func target(_ url: String) -> Target {
        let parts = URLParts(url)
        guard parts.scheme.hasPrefix("http") else { return .unchanged(url) }
        guard AppSettings.isStore(parts) else { return .web(url) }
        return visitor.platform == .android && AppSettings.isPlayStore(parts, of: settings.packageName)
            ? .playStore(url) : .unchanged(url)
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

    /// Returns the first page that the link holds under one of the keys.
    private func linkURL(_ keys: [String]) -> String? {
        for key in keys {
            if let page = urls.map({ $0[key] }) ?? link.page(key, app) { return page }
        }
        return nil
    }
}

extension ControlParameters {
    /// Returns the link into the app on a phone for apps that open other apps, to which no browser's redirect mode applies. Nil if the link
    /// must not open the app.
    public func appLink(on platform: Platform, _ app: AppSettings) -> AppLink? {
        let decision = Decision(link: self, app: app, visitor: VisitorClass(Visitor(platform: platform)))
        return decision.isWebOnly ? nil : decision.appLink
    }

    /// Returns the page that the link holds under a key, with the link's labels as UTM parameters if the app wants them; nil if there is
    /// none, or if the app's links must not lead to it.
    func page(_ key: String, _ app: AppSettings) -> String? {
        guard let url = onTheWeb(self[key]) else { return nil }
        let parts = URLParts(url)
        guard let allowed = app.allowed(url, parts) else { return nil }
        return app.passesLabelsOn && !AppSettings.isStore(parts) ? withLabels(allowed, parts) : allowed
    }

    /// Returns the App Store's page on the web in place of an `itms-apps` URL, which some in-app browsers do not open (Branch's guide to
    /// creating a deep link, `$use_https_app_store`).
    fileprivate func onTheWeb(_ url: String?) -> String? {
        guard let url, flag("$use_https_app_store", default: false), url.hasPrefix("itms-apps://") else { return url }
        return "https://" + url.dropFirst("itms-apps://".count)
    }

    /// Adds a link's labels to a web page's URL as UTM parameters for the page's analytics; existing ones stay (Branch's deep-link
    /// reference, "UTM tags").
    fileprivate func withLabels(_ url: String, _ parts: URLParts) -> String {
        guard parts.scheme.hasPrefix("http") else { return url }
        let query = parts.query ?? ""
        var url = url
        for (label, name) in [("~campaign", "utm_campaign"), ("~channel", "utm_source"), ("~feature", "utm_medium")] {
            guard let value = self[label], !URLParts.hasItem(named: name, in: query) else { continue }
            url = URLParts.appending(QueryItem(name: name, value: value), to: url)
        }
        return url
    }
}
