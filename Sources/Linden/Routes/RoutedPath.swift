import LinkRouting

/// A link's path into its app on one platform, and the route that the app takes for it.
package struct RoutedPath: Sendable {
    package let platform: Platform
    /// The key of the link's data that holds the path.
    package let key: String
    /// The URI that opens the app there.
    package let uri: String
    /// Nil if no route leads there.
    package let match: RouteMatch?

    /// The keys of a link's data that hold a path for a platform, the more particular first (Branch's deep-link reference).
    static func keys(on platform: Platform) -> [String] {
        switch platform {
        case .iOS: ["$ios_deeplink_path", "$deeplink_path"]
        case .android: ["$android_deeplink_path", "$deeplink_path"]
        case .desktop: []
        }
    }

    static let allKeys: Set<String> = Set(Platform.allCases.flatMap(keys))
}

extension AppContext {
    /// Where a link with this data leads within the app, on each platform on which there is something to be said: the link has a path
    /// for it, the app a URI scheme, and its routes take it or concern it.
    package func routedPaths(in data: JSONObject) -> [RoutedPath] {
        Platform.allCases.compactMap { routedPath(in: data, on: $0) }
    }

    func routedPath(in data: JSONObject, on platform: Platform) -> RoutedPath? {
        guard let scheme = scheme(on: platform) else { return nil }
        for key in RoutedPath.keys(on: platform) {
            guard let path = data[key]?.scalarText, !path.isEmpty else { continue }
            let uri = PercentCoding.encodeIllegal(scheme + "://" + path)
            let routes = routes
            let match = routes.match(uri, webURL: webURL(in: data), on: platform)
            guard match != nil || routes.concerns(platform) else { return nil }
            return RoutedPath(platform: platform, key: key, uri: uri, match: match)
        }
        return nil
    }

    /// The link's page on the web, as its tags for App Links name it: what Roots hands to an Android app beside the URI.
    private func webURL(in data: JSONObject) -> String? {
        ["$canonical_url", "$fallback_url", "$desktop_url"].lazy.compactMap { data[$0]?.scalarText }
            .first { ["http", "https"].contains(URLParts($0).scheme) && routing.allows($0) } ?? routing.defaultURL
    }

    private func scheme(on platform: Platform) -> String? {
        switch platform {
        case .iOS: routing.ios.uriScheme
        case .android: routing.android.uriScheme
        case .desktop: nil
        }
    }
}

extension [RoutedPath] {
    /// What is reported with a link: for each platform its route, or null if the app has none for the link's path. Nil if there is
    /// nothing to report.
    package var members: JSONObject? {
        guard !isEmpty else { return nil }
        return JSONObject(map { (key: $0.platform.rawValue, value: $0.match.map { .object($0.members) } ?? .null) })
    }
}

extension AppContext {
    /// A session's parameters with the route that the app has for their path: `+route`, the route's target, and `+route_parameters`,
    /// an object of strings with what the pattern captured over the URI's query and the route's defaults. SDKs hand both to the app
    /// as they hand on any key that they do not know.
    ///
    /// An app without routes, and a session without a path that one of them takes, get what they always got.
    func namingRoute(in data: JSONObject, on platform: Platform) -> JSONObject {
        guard let match = routedPath(in: data, on: platform)?.match else { return data }
        return data.merging([
            "+route": .string(match.route.target),
            "+route_parameters": .object(JSONObject(match.merged.mapValues(\.plainText))),
        ])
    }
}
