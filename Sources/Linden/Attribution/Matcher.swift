/// One way of tying an opening to a click. Answers with a match, or with the reason why there is none.
package protocol Matcher: Sendable {
    static var name: String { get }

    func answer(_ evidence: Evidence) -> MatcherAnswer
}

package enum MatcherAnswer: Sendable, Equatable {
    case match(Match)
    /// No match, and why, in words for a support person.
    case noMatch(String)
    /// No match, and no later matcher may try: the opening has another cause.
    case stop(String)
}

/// The click or link that an opening is given to.
package struct Match: Sendable, Equatable {
    package let link: Link.ID
    /// Nil if the opening is itself the click, as with Universal Links.
    package let click: Click.ID?
    /// Whether the link is certain rather than likely (`+match_guaranteed`).
    package let isGuaranteed: Bool
    package let reason: String

    package init(link: Link.ID, click: Click.ID?, isGuaranteed: Bool, reason: String) {
        self.link = link
        self.click = click
        self.isGuaranteed = isGuaranteed
        self.reason = reason
    }
}
