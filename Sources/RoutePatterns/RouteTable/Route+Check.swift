/// A route's parsed pattern.
enum RoutePattern: Sendable, Hashable {
    case roots(AppLinkKey, RootsFormat)
    case waapp(WAAppPattern)

    /// The names of the parameters, in order.
    fileprivate var names: [String] {
        switch self {
        case .roots(_, let format): format.names
        case .waapp(let pattern): pattern.names
        }
    }
}

/// The identity of a route's pattern within a table. Of two routes with equal paths the later one could never match.
struct RoutePath: Sendable, Hashable {
    let syntax: Route.Syntax
    let key: AppLinkKey?
    let pattern: String
}

extension Route {
    var path: RoutePath { RoutePath(syntax: syntax, key: key, pattern: pattern) }

    /// Throws if the route could match nothing, or not what it seems to; for routes that are being written.
    public func check() throws(RouteSyntaxError) {
        _ = try checkPattern()
    }

    func checkPattern() throws(RouteSyntaxError) -> RoutePattern {
        guard pattern.utf8.count <= RouteTable.patternLength else {
            throw RouteSyntaxError(.tooLong, "the pattern is too long; at most \(RouteTable.patternLength) bytes are allowed")
        }
        guard !pattern.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw RouteSyntaxError(
                .unsupportedCharacter, "the pattern has a control character, which no URL has; all others are allowed")
        }
        let read = try readPattern()
        var names: Set<String> = []
        for name in read.names where !names.insert(name).inserted {
            throw RouteSyntaxError(.badName, "'\(pattern)' names '\(name)' twice; each parameter needs a name of its own")
        }
        if case .roots(.androidURL, let format) = read, let capital = format.neededCapital {
            throw RouteSyntaxError(
                .unsupportedCharacter,
                "'\(capital)' in '\(pattern)' matches nothing, since Android's URIs are compared in lower case; "
                    + "write it in lower case, only names in braces may have capitals")
        }
        return read
    }

    /// Parses the pattern. Throws only if the route cannot be read; for routes that were stored.
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
}
