/// The verdict of a list of link rules on a URL. The first rule that matches decides, even if it excludes.
public enum LinkVerdict: Sendable, Hashable {
    /// The app opens the URL; `rule` is the rule's index.
    case match(rule: Int)
    /// The URL stays in the browser; `rule` is the rule's index.
    case exclude(rule: Int)
    /// No rule matches, so the URL stays in the browser. The vendors call this none.
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
