/// What a list of link rules says about a URL. The first rule that matches decides, also when it excludes.
public enum LinkVerdict: Sendable, Hashable {
    /// The app opens the URL, by the rule at this place in the list.
    case match(rule: Int)
    /// The browser keeps the URL, by the rule at this place in the list.
    case exclude(rule: Int)
    /// No rule speaks of the URL, so the browser keeps it. In the vendors' words: none.
    case noRule

    public var isMatch: Bool {
        if case .match = self { true } else { false }
    }

    /// The verdict as a word: `match`, `exclude` or `none`.
    public var name: String {
        switch self {
        case .match: "match"
        case .exclude: "exclude"
        case .noRule: "none"
        }
    }

    public var ruleIndex: Int? {
        switch self {
        case .match(let rule), .exclude(let rule): rule
        case .noRule: nil
        }
    }
}
