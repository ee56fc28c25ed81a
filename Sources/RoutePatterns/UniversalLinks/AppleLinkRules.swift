/// The rules of one app in an `apple-app-site-association` file, parsed (Apple, "Supporting associated domains"; WWDC19, "What's new in
/// universal links").
public struct AppleLinkRules: Sendable, Hashable {
    private let rules: [AppleLinkRule]

    var weight: Int { rules.reduce(0) { $0 + $1.weight } }

    /// Parses the rules of `components`, in order.
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

    /// Parses the rules of a legacy `paths` array, in order: case-sensitive patterns for the path alone; the prefix `NOT ` excludes. The
    /// path is compared percent-encoded.
    public init(paths: [String]) throws(RouteSyntaxError) {
        var rules: [AppleLinkRule] = []
        for path in paths { rules.append(try AppleLinkRule(legacyPath: path)) }
        self.rules = rules
    }

    /// Returns the verdict on a URL: the first rule that matches decides. Only http and https URLs are universal links.
    public func verdict(for url: String) -> LinkVerdict {
        let parts = WrittenURL(url)
        guard url.utf8.count <= PatternLimits.urlLength, parts.scheme.lowercased().isWebScheme else { return .noRule }
        guard let index = rules.firstIndex(where: { $0.matches(parts) }) else { return .noRule }
        return rules[index].excludes ? .exclude(rule: index) : .match(rule: index)
    }
}
