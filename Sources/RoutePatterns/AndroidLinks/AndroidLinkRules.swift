import LinkRouting

/// The dynamic rules of an app, parsed (developer.android.com, "Configure website associations and dynamic rules"). They narrow the app's
/// manifest, which is not known here.
public struct AndroidLinkRules: Sendable, Hashable {
    private let rules: [AndroidLinkRule]

    /// Parses the rules. Throws for a single empty or invalid field, because Android then discards the whole list.
    public init(_ components: [AndroidLinkComponent]) throws(RouteSyntaxError) {
        var rules: [AndroidLinkRule] = []
        for component in components { rules.append(try AndroidLinkRule(component)) }
        self.rules = rules
    }

    /// Returns the verdict on a URL: the first rule that matches decides. A URL that no rule matches is not opened in the app.
    public func verdict(for url: String) -> LinkVerdict {
        let parts = WrittenURL(url)
        guard url.utf8.count <= PatternLimits.urlLength, parts.scheme.lowercased().isWebScheme else { return .noRule }
        guard let index = rules.firstIndex(where: { $0.matches(parts) }) else { return .noRule }
        return rules[index].excludes ? .exclude(rule: index) : .match(rule: index)
    }
}

/// A dynamic rule with parsed patterns. Like Android it compares decoded text, case-sensitively.
private struct AndroidLinkRule: Sendable, Hashable {
    let excludes: Bool
    private let path: WildcardPattern?
    private let query: [String: WildcardPattern]
    private let fragment: WildcardPattern?

    init(_ component: AndroidLinkComponent) throws(RouteSyntaxError) {
        func read(_ pattern: String, _ key: String) throws(RouteSyntaxError) -> WildcardPattern {
            guard !pattern.isEmpty else { throw .empty("the pattern of '\(key)'") }
            return try WildcardPattern(pattern)
        }
        excludes = component.excludes
        path = if let path = component.path { try read(path, "/") } else { nil }
        fragment = if let fragment = component.fragment { try read(fragment, "#") } else { nil }
        var items: [String: WildcardPattern] = [:]
        for (name, pattern) in component.query ?? [:] {
            guard !name.isEmpty else { throw .empty("a name of '?'") }
            items[name] = try read(pattern, name)
        }
        query = items
        guard path != nil || fragment != nil || !items.isEmpty, component.query?.isEmpty != true else {
            throw .empty("a rule of '/', '?' and '#'")
        }
    }

    /// Whether a URL matches. A missing item or fragment matches no pattern, not even `*`, unlike in Apple's rules.
    func matches(_ url: WrittenURL) -> Bool {
        if let path, !path.matches(PercentCoding.decode(url.requestPath)) { return false }
        if let fragment, !(url.fragment.map { fragment.matches(PercentCoding.decode($0)) } ?? false) { return false }
        guard !query.isEmpty else { return true }
        let values = Dictionary(grouping: url.queryItems) { PercentCoding.decode($0.name) }
        return query.allSatisfy { name, pattern in
            values[name]?.contains { pattern.matches(PercentCoding.decode($0.value)) } ?? false
        }
    }
}
