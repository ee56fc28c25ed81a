import LinkRouting

extension RouteTable {
    /// Returns the first route that matches a URL on a platform; nil if none does. Filters for `al:web:url` are weak: they are tried only
    /// if nothing else matches. On desktops the filters for iOS and Android are ignored.
    ///
    /// On Android every URL is matched as if Roots had sent it, because a server asks before anything is sent. Filters for `al:web:url` are
    /// compared there with the web URL that Roots would pass, else with the URL itself if it is http or https.
    public func match(_ url: String, webURL: String? = nil, on platform: Platform = .iOS) -> RouteMatch? {
        guard url.utf8.count <= RouteTable.urlLength else { return nil }
        let url = RoutedURL(url, webURL: webURL, platform: platform)
        return first(of: url.strongParameters) ?? first(of: url.weakParameters)

        func first(of parameters: (RoutePattern) -> [String: String]?) -> RouteMatch? {
            for (route, pattern) in zip(routes, patterns) where route.isEnabled {
                guard let found = parameters(pattern) else { continue }
                let query = route.syntax == .waapp ? url.waapp?.query ?? [:] : [:]
                let merged = route.defaults.overridden(by: query).overridden(by: found)
                return RouteMatch(route: route, parameters: found, merged: merged)
            }
            return nil
        }
    }

    /// Whether any route, even a disabled one, is for the app's own URIs on a platform. If none is, the table says nothing about URIs that
    /// it does not match.
    public func concerns(_ platform: Platform) -> Bool {
        routes.contains { $0.concerns(platform) }
    }
}

extension Route {
    /// Whether the route is for the app's own URIs on a platform; filters for `al:web:url` are for web URLs.
    public func concerns(_ platform: Platform) -> Bool {
        switch key {
        case .iOSURL: platform == .iOS
        case .androidURL: platform == .android
        case .webURL: false
        default: true
        }
    }
}

/// A URL prepared for the patterns of each syntax.
private struct RoutedURL {
    let waapp: WAAppURL?
    private let text: MatchedText
    private let platform: Platform
    private let launch: RootsAndroidLaunch

    init(_ url: String, webURL: String?, platform: Platform) {
        text = MatchedText(url)
        self.platform = platform
        waapp = WAAppURL(url)
        let webURL = (webURL ?? url).utf8.count <= RouteTable.urlLength ? webURL ?? url : nil
        launch =
            RootsAndroidLaunch(launchURI: url)
            ?? RootsAndroidLaunch(
                uri: url, fallbackURL: webURL.flatMap { WrittenURL($0).scheme.lowercased().isWebScheme ? $0 : nil })
    }

    func strongParameters(_ pattern: RoutePattern) -> [String: String]? {
        switch pattern {
        case .waapp(let pattern): waapp.flatMap(pattern.parameters)
        case .roots(.iOSURL, let format) where platform == .iOS: format.parameters(in: text, anchored: false)
        case .roots(.androidURL, let format) where platform == .android: launch.parameters(forAndroid: format)
        case .roots: nil
        }
    }

    func weakParameters(_ pattern: RoutePattern) -> [String: String]? {
        guard case .roots(.webURL, let format) = pattern else { return nil }
        return platform == .android ? launch.parameters(forWeb: format) : format.parameters(in: text, anchored: false)
    }
}
