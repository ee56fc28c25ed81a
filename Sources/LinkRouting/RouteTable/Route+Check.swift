/// A route's pattern, read and ready to be asked.
enum RoutePattern: Sendable, Hashable {
    case roots(AppLinkKey, RootsFormat)
    case waapp(WAAppPattern)
}

extension Route {
    /// Refuses a route that could match nothing, or not what it seems to: to be called when somebody writes one.
    public func check() throws(RouteSyntaxError) {
        _ = try readPattern()
    }

    func readPattern() throws(RouteSyntaxError) -> RoutePattern {
        guard !id.isEmpty else { throw .empty("the route's id") }
        guard !target.isEmpty else { throw .empty("the route's target") }
        switch syntax {
        case .roots:
            guard let key, [.iOSURL, .androidURL, .webURL].contains(key) else {
                throw RouteSyntaxError(
                    .unknownKey, "a route in the syntax of Roots needs one of the keys al:ios:url, al:android:url and al:web:url")
            }
            return .roots(key, try RootsFormat(pattern))
        case .waapp:
            guard key == nil else {
                throw RouteSyntaxError(.unknownKey, "a route in the syntax of WAAppRouting has no key")
            }
            try WAAppPattern.check(pattern)
            return .waapp(WAAppPattern(pattern))
        }
    }

    /// Whether two routes stand for the same URLs of the same kind, so that the later one could never match.
    func hasPath(of other: Route) -> Bool {
        syntax == other.syntax && key == other.key && pattern == other.pattern
    }
}
