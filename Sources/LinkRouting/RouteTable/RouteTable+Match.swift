extension RouteTable {
    /// The route that a URL takes on a platform; nil if none. Filters for `al:web:url` are weak: asked only when nothing else
    /// matched. On a desktop neither phone's own filters are asked.
    ///
    /// On Android a URL that Roots did not send is taken for one that it would send: a server asks before anything is sent.
    public func match(_ url: String, on platform: Platform = .iOS) -> RouteMatch? {
        let url = RoutedURL(url, platform: platform)
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

    /// Whether any route, also one that is switched off, is for a platform: if none is, the table says nothing of its URLs.
    public func concerns(_ platform: Platform) -> Bool {
        routes.contains { $0.concerns(platform) }
    }
}

extension Route {
    /// Whether URLs on a platform are compared with this route.
    public func concerns(_ platform: Platform) -> Bool {
        switch key {
        case .iOSURL: platform == .iOS
        case .androidURL: platform == .android
        default: true
        }
    }
}

/// A URL as each of the languages reads it.
private struct RoutedURL {
    let waapp: WAAppURL?
    private let url: String
    private let platform: Platform
    private let launch: RootsAndroidLaunch

    init(_ url: String, platform: Platform) {
        self.url = url
        self.platform = platform
        waapp = WAAppURL(url)
        launch = RootsAndroidLaunch(launchURI: url) ?? RootsAndroidLaunch(uri: url, fallbackURL: url)
    }

    func strongParameters(_ pattern: RoutePattern) -> [String: String]? {
        switch pattern {
        case .waapp(let pattern): waapp.flatMap(pattern.parameters)
        case .roots(.iOSURL, let format) where platform == .iOS: format.parameters(in: url)
        case .roots(.androidURL, let format) where platform == .android: launch.parameters(forAndroid: format)
        case .roots: nil
        }
    }

    func weakParameters(_ pattern: RoutePattern) -> [String: String]? {
        guard case .roots(.webURL, let format) = pattern else { return nil }
        return platform == .android ? launch.parameters(forWeb: format) : format.parameters(in: url)
    }
}
