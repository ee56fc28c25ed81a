/// The `applinks` of an `apple-app-site-association` file, parsed.
public struct AppleAppLinks: Sendable, Hashable {
    /// An entry of `details`: the rules of some apps. With `components` the legacy `paths` are ignored (WWDC19).
    public struct Detail: Sendable, Hashable {
        public var appIDs: [String]
        public var components: [AppleLinkComponent]?
        public var paths: [String]
        public var defaults: AppleLinkSettings

        public init(
            appIDs: [String], components: [AppleLinkComponent]? = nil, paths: [String] = [],
            defaults: AppleLinkSettings = AppleLinkSettings()
        ) {
            self.appIDs = appIDs
            self.components = components
            self.paths = paths
            self.defaults = defaults
        }
    }

    /// The file's result for a URL.
    public struct Answer: Sendable, Hashable {
        public var verdict: LinkVerdict
        /// The index in `details` of the entry that decided; nil if none did.
        public var detail: Int?
        /// The apps of that entry.
        public var appIDs: [String]

        public init(verdict: LinkVerdict, detail: Int? = nil, appIDs: [String] = []) {
            self.verdict = verdict
            self.detail = detail
            self.appIDs = appIDs
        }
    }

    private struct Entry: Sendable, Hashable {
        var appIDs: [String]
        var rules: AppleLinkRules
    }

    private let entries: [Entry]

    /// Parses the rules; `defaults` and `substitutionVariables` are the domain's.
    public init(
        details: [Detail], defaults: AppleLinkSettings = AppleLinkSettings(), substitutionVariables: [String: [String]] = [:]
    ) throws(RouteSyntaxError) {
        let variables = try AppleVariables(substitutionVariables)
        var entries: [Entry] = []
        var weight = 0
        for detail in details {
            let rules =
                if let components = detail.components {
                    try AppleLinkRules(components: components, defaults: detail.defaults.over(defaults), variables: variables)
                } else {
                    try AppleLinkRules(paths: detail.paths)
                }
            weight += rules.weight
            guard weight <= PatternLimits.rulesWeight else { throw .tooManyRules }
            entries.append(Entry(appIDs: detail.appIDs, rules: rules))
        }
        self.entries = entries
    }

    /// Returns the result for a URL if the given app is installed, or if all apps are.
    ///
    /// The first entry that matches decides. An exclusion applies only to the apps of its entry: later entries are still tried, and the
    /// first exclusion is the result if none of them matches. Apple does not document this case.
    public func answer(for url: String, appID: String? = nil) -> Answer {
        var exclusion: Answer?
        for (index, entry) in entries.enumerated() where appID.map(entry.appIDs.contains) ?? true {
            let verdict = entry.rules.verdict(for: url)
            let answer = Answer(verdict: verdict, detail: index, appIDs: entry.appIDs)
            switch verdict {
            case .match: return answer
            case .exclude: exclusion = exclusion ?? answer
            case .noRule: break
            }
        }
        return exclusion ?? Answer(verdict: .noRule)
    }
}
