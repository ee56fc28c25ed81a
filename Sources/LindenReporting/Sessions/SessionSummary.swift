import Linden
import LindenKernel

/// A session in a list: without the parameters that its app received, and without the evidence of its attribution, which may be large.
package struct SessionSummary: Sendable, Equatable {
    package let id: Session.ID
    package let scope: Scope
    package let kind: Session.Kind
    /// The link that the session is attributed to; ``Link/long`` for a long link, nil if there is none.
    package let link: Link.ID?
    package let click: Click.ID?
    package let outcome: AttributionDecision.Outcome
    /// The matcher that matched; nil if none did.
    package let matcher: String?

    package init(
        id: Session.ID, scope: Scope, kind: Session.Kind, link: Link.ID?, click: Click.ID?, outcome: AttributionDecision.Outcome,
        matcher: String?
    ) {
        self.id = id
        self.scope = scope
        self.kind = kind
        self.link = link
        self.click = click
        self.outcome = outcome
        self.matcher = matcher
    }
}

extension Session {
    package var summary: SessionSummary {
        SessionSummary(
            id: id, scope: scope, kind: kind, link: link, click: click, outcome: explanation.outcome, matcher: explanation.matcher)
    }
}
