/// The rules of one app in an `apple-app-site-association` file, ready to be asked (Apple, Supporting associated domains; WWDC19,
/// What's new in universal links).
public struct AppleLinkRules: Sendable, Hashable {
    private let rules: [AppleLinkRule]

    /// The rules of `components`, in order.
    public init(
        components: [AppleLinkComponent], defaults: AppleLinkSettings = AppleLinkSettings(),
        variables: AppleVariables = .predefined
    ) throws(RouteSyntaxError) {
        var rules: [AppleLinkRule] = []
        for component in components {
            rules.append(try AppleLinkRule(component, settings: component.settings.over(defaults), variables: variables))
        }
        self.rules = rules
    }

    /// The rules of a legacy `paths`, in order: patterns for the path alone, in which letter case matters, and `NOT ` in front
    /// excludes. The path is compared in percent escapes.
    public init(paths: [String]) throws(RouteSyntaxError) {
        var rules: [AppleLinkRule] = []
        for path in paths { rules.append(try AppleLinkRule(legacyPath: path)) }
        self.rules = rules
    }

    /// What the rules say about a URL: the first that matches decides. Nothing but the web's URLs are universal links.
    public func verdict(for url: String) -> LinkVerdict {
        let parts = WrittenURL(url)
        guard url.utf8.count <= PatternLimits.urlLength, parts.scheme.lowercased().isWebScheme else { return .noRule }
        guard let index = rules.firstIndex(where: { $0.matches(parts) }) else { return .noRule }
        return rules[index].excludes ? .exclude(rule: index) : .match(rule: index)
    }
}
