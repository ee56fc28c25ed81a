import LinkRouting

/// A rule for universal links with parsed patterns.
struct AppleLinkRule: Sendable, Hashable {
    let excludes: Bool
    /// What the rule counts of ``PatternLimits/rulesWeight``.
    var weight: Int {
        let patterns = [path, wholeQuery, fragment].compactMap { $0 } + queryItems.values
        return patterns.reduce(16) { $0 + $1.weight }
    }

    private let isPercentEncoded: Bool
    private let path: WildcardPattern?
    private let wholeQuery: WildcardPattern?
    private let queryItems: [String: WildcardPattern]
    private let fragment: WildcardPattern?

    init(
        _ component: AppleLinkComponent, settings: AppleLinkSettings, variables: AppleVariables
    ) throws(RouteSyntaxError) {
        func read(_ pattern: String) throws(RouteSyntaxError) -> WildcardPattern {
            try ApplePattern.read(pattern, variables: variables, ignoringCase: settings.caseSensitive == false)
        }
        excludes = component.excludes
        isPercentEncoded = settings.percentEncoded ?? true
        path = if let path = component.path { try read(AppleLinkRule.rooted(path)) } else { nil }
        fragment = if let fragment = component.fragment { try read(fragment) } else { nil }
        wholeQuery = if case .whole(let query) = component.query { try read(query) } else { nil }
        var items: [String: WildcardPattern] = [:]
        if case .items(let patterns) = component.query {
            for (name, pattern) in patterns { items[name] = try read(pattern) }
        }
        queryItems = items
    }

    init(legacyPath: String) throws(RouteSyntaxError) {
        excludes = legacyPath.hasPrefix("NOT ")
        isPercentEncoded = true
        path = try WildcardPattern(excludes ? String(legacyPath.dropFirst(4)) : legacyPath)
        wholeQuery = nil
        queryItems = [:]
        fragment = nil
    }

    func matches(_ url: WrittenURL) -> Bool {
        path?.matches(text(url.requestPath)) ?? true
            && wholeQuery?.matches(text(url.query ?? "")) ?? true
            && fragment?.matches(text(url.fragment ?? "")) ?? true
            && matchesItems(of: url)
    }

    /// Whether every item of each name matches. A missing item counts as an empty one, so that `*` matches it and `?*` does not (WWDC19).
    private func matchesItems(of url: WrittenURL) -> Bool {
        guard !queryItems.isEmpty else { return true }
        let values = Dictionary(grouping: url.queryItems) { text($0.name) }
        return queryItems.allSatisfy { name, pattern in
            values[name]?.allSatisfy { pattern.matches(text($0.value)) } ?? pattern.matches("")
        }
    }

    /// Returns a part of the URL in the encoding in which the patterns are written.
    private func text(_ part: String) -> String {
        isPercentEncoded ? PercentCoding.encodeIllegal(part) : PercentCoding.decode(part)
    }

    /// Returns a path pattern with the leading slash that every path has.
    private static func rooted(_ pattern: String) -> String {
        pattern.beginsWithSlash || pattern.hasPrefix("*") ? pattern : "/" + pattern
    }
}
