extension RouteTable {
    /// The route that a URL takes on a platform; nil if none. Filters for `al:web:url` are weak: asked only when nothing else
    /// matched. On a desktop neither phone's own filters are asked.
    ///
    /// On Android a URL that Roots did not send is taken for one that it would send: a server asks before anything is sent. Filters
    /// for `al:web:url` are compared there with the web URL that would come along, else with the URL if it is one of the web.
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

    /// Whether any route, also one that is switched off, is for an app's own URIs on a platform: if none is, the table says nothing
    /// of those that it does not match.
    public func concerns(_ platform: Platform) -> Bool {
        routes.contains { $0.concerns(platform) }
    }
}

extension Route {
    /// Whether this route is for an app's own URIs on a platform: filters for `al:web:url` are for the web's.
    public func concerns(_ platform: Platform) -> Bool {
        switch key {
        case .iOSURL: platform == .iOS
        case .androidURL: platform == .android
        case .webURL: false
        default: true
        }
    }
}

/// A URL as each of the languages reads it.
private struct RoutedURL {
    let waapp: WAAppURL?
    private let scalars: [Unicode.Scalar]
    private let platform: Platform
    private let launch: RootsAndroidLaunch

    init(_ url: String, webURL: String?, platform: Platform) {
        scalars = Array(url.unicodeScalars)
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
        case .roots(.iOSURL, let format) where platform == .iOS: format.parameters(in: scalars, anchored: false)
        case .roots(.androidURL, let format) where platform == .android: launch.parameters(forAndroid: format)
        case .roots: nil
        }
    }

    func weakParameters(_ pattern: RoutePattern) -> [String: String]? {
        guard case .roots(.webURL, let format) = pattern else { return nil }
        return platform == .android ? launch.parameters(forWeb: format) : format.parameters(in: scalars, anchored: false)
    }
}
