import LindenKernel
import LinkRouting
import RoutePatterns

/// A link's path into its app on one platform, and the app's route for it.
package struct RoutedPath: Sendable {
    package let platform: Platform
    /// The key in the link's data that holds the path.
    package let key: String
    /// The URI that opens the app at this path.
    package let uri: String
    /// The matching route; nil if there is none.
    package let match: RouteMatch?

    /// Returns the keys in a link's data that hold a path for a platform, the more specific first (Branch's deep-link reference).
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
    /// Returns where a link with this data leads within the app, on each platform for which the link has a path, and the app a URI scheme
    /// and routes.
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

    /// Returns the link's web page, as in its App Links tags: Roots passes it to an Android app together with the URI.
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
    /// The routes as reported with a link: for each platform its route, or null if none matches the link's path. Nil if there are no paths.
    package var members: JSONObject? {
        guard !isEmpty else { return nil }
        return JSONObject(map { (key: $0.platform.rawValue, value: $0.match.map { .object($0.members) } ?? .null) })
    }
}

extension AppContext {
    /// Returns a session's parameters with the app's route for their path: `+route`, the route's target, and `+route_parameters`, an object
    /// of strings with the captured parameters, which override the URI's query and the route's defaults. SDKs pass both to the app, as they
    /// do with any unknown key.
    ///
    /// The parameters are unchanged if the app has no routes, or the session has no path that a route matches.
    func namingRoute(in data: JSONObject, on platform: Platform) -> JSONObject {
        guard let match = routedPath(in: data, on: platform)?.match else { return data }
        return data.merging([
            "+route": .string(match.route.target),
            "+route_parameters": .object(JSONObject(match.merged.mapValues(\.plainText))),
        ])
    }
}
