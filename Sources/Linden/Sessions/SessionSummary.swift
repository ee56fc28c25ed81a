import LindenKernel

/// A session in a list: without the parameters that its app received, and without the evidence of its attribution, which may be large.
package struct SessionSummary: Sendable, Equatable {
    package let id: Session.ID
    package let scope: Scope
    package let kind: Session.Kind
    package let click: Click.ID?
    package let outcome: AttributionDecision.Outcome
    /// The matcher that matched; nil if none did.
    package let matcher: String?

    package init(
        id: Session.ID, scope: Scope, kind: Session.Kind, click: Click.ID?, outcome: AttributionDecision.Outcome, matcher: String?
    ) {
        self.id = id
        self.scope = scope
        self.kind = kind
        self.click = click
        self.outcome = outcome
        self.matcher = matcher
    }
}

extension Session {
    package var summary: SessionSummary {
        SessionSummary(
            id: id, scope: scope, kind: kind, click: click, outcome: explanation.outcome, matcher: explanation.matcher)
    }
}
