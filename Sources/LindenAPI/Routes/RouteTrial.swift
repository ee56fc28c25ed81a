import Linden
import LindenKernel
import LinkRouting
import RoutePatterns

/// What an app's routes make of a URL.
package struct RouteTrial: Sendable {
    private let url: String
    private let platform: Platform
    private let match: RouteMatch?

    package init(_ url: String, on platform: Platform, routes: RouteTable) {
        self.url = url
        self.platform = platform
        match = routes.match(url, on: platform)
    }

    /// - `url`, `platform`: what was tried.
    /// - `matched`: whether a route matches.
    /// - `id`, `pattern`, `target`, `modal`: of the first route that matches; missing if none does, as are the following.
    /// - `parameters`: the values that the pattern captured.
    /// - `merged`: those with the URL's query (WAAppRouting) and the route's defaults.
    package var view: JSONObject {
        let tried: JSONObject = [
            "url": .string(url), "platform": .string(platform.rawValue), "matched": .bool(match != nil),
        ]
        return tried.merging(match?.members ?? [:])
    }
}
