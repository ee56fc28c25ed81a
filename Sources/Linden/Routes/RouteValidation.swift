import LindenKernel
import LinkRouting
import RoutePatterns

/// The policy for a link whose path into the app matches none of the app's routes: the app's setting `routes.validation`.
///
/// Off by default, since Branch accepts any path. An app without routes accepts any path as well.
package enum RouteValidation: String, Sendable, CaseIterable {
    case off
    /// The link is created, and the response contains a warning.
    case warn
    /// The link is rejected.
    case reject

    /// The name of the setting.
    static let setting = "routes.validation"
}

extension AppContext {
    private var routeValidation: RouteValidation {
        app.configuration[RouteValidation.setting].flatMap(RouteValidation.init(rawValue:)) ?? .off
    }

    /// Fails with `invalid` if the app's policy rejects a link with this data.
    func checkRoutes(of data: JSONObject) throws {
        guard routeValidation == .reject else { return }
        let problems = routeProblems(in: data)
        guard problems.isEmpty else { throw Failure.invalid(problems.joined(separator: " ")) }
    }

    /// Returns the warnings for the creator of a link with this data.
    package func routeWarnings(for data: JSONObject) -> [String] {
        routeValidation == .warn ? routeProblems(in: data) : []
    }

    /// Returns a sentence for each URI that no route matches.
    private func routeProblems(in data: JSONObject) -> [String] {
        var unrouted: [(path: RoutedPath, platforms: [Platform])] = []
        for path in routedPaths(in: data) where path.match == nil {
            if let index = unrouted.firstIndex(where: { $0.path.key == path.key && $0.path.uri == path.uri }) {
                unrouted[index].platforms.append(path.platform)
            } else {
                unrouted.append((path, [path.platform]))
            }
        }
        return unrouted.map { path, platforms in
            guard path.uri.utf8.count <= RouteTable.urlLength else {
                return "\(path.key) leads nowhere in the app: \(path.uri.shortened(to: 200)) is longer than the "
                    + "\(RouteTable.urlLength) bytes that its routes are compared with."
            }
            let patterns = nearestPatterns(to: path.uri, on: platforms)
            return "\(path.key) leads nowhere in the app: \(path.uri.shortened(to: 200)) matches none of its routes on "
                + platforms.map(\.rawValue).joined(separator: " and ")
                + (patterns.isEmpty ? ", all of which are switched off." : "; the nearest are \(patterns.joined(separator: ", ")).")
        }
    }

    /// Returns the patterns with the longest common prefix with a URI, schemes aside; enough of them to spot a typing error.
    private func nearestPatterns(to uri: String, on platforms: [Platform]) -> [String] {
        let asked = routes.routes.filter { route in route.isEnabled && platforms.contains(where: route.concerns) }
        let wanted = uri.withoutScheme
        let ranked = asked.map { route in
            (pattern: route.pattern, common: zip(route.pattern.withoutScheme, wanted).prefix { $0 == $1 }.count)
        }
        return ranked.sorted { $0.common > $1.common }.prefix(5).map { $0.pattern.shortened(to: 200) }
    }
}

extension String {
    fileprivate var withoutScheme: Substring.UTF8View {
        utf8.firstRange(of: "://".utf8).map { utf8[$0.upperBound...] } ?? utf8[...]
    }
}
