import Linden
import LindenKernel

/// A request to decide stored sessions again.
package struct Replay: Sendable {
    /// The time range of the sessions, from ``start`` up to but not including ``end``.
    package var start: Timestamp
    package var end: Timestamp
    /// The scope of the sessions; nil for every app.
    package var scope: Scope?
    package var rules: AttributionRules
    /// Whether sessions that are decided differently are changed.
    package var isApplied: Bool

    package init(
        start: Timestamp, end: Timestamp, scope: Scope? = nil, rules: AttributionRules = .standard, isApplied: Bool = false
    ) {
        self.start = start
        self.end = end
        self.scope = scope
        self.rules = rules
        self.isApplied = isApplied
    }

    var firstID: Session.ID { Self.firstID(at: start) }
    var endID: Session.ID { Self.firstID(at: end) }

    /// Clamps to the largest id: ids end in 2094.
    private static func firstID(at time: Timestamp) -> Session.ID {
        Session.ID(rawValue: time < IDGenerator.time(of: .max) ? IDGenerator.first(at: time) : .max)
    }
}

/// The counts of a replay so far.
package struct ReplayFigures: Sendable, Equatable {
    /// Sessions begun by an app or a page; those created by a change of identity have nothing to decide.
    package var sessions = 0
    /// Sessions among them without evidence, which cannot be decided again.
    package var withoutEvidence = 0
    /// Sessions that are decided differently.
    package var changed = 0

    package init(sessions: Int = 0, withoutEvidence: Int = 0, changed: Int = 0) {
        self.sessions = sessions
        self.withoutEvidence = withoutEvidence
        self.changed = changed
    }
}

/// A session that is decided differently by the replay.
package struct ReplayChange: Sendable, Equatable {
    /// The attribution of a session.
    package struct Outcome: Sendable, Equatable {
        package let outcome: AttributionDecision.Outcome
        package let matcher: String?
        package let link: Link.ID?
        package let click: Click.ID?
    }

    package let session: Session.ID
    package let before: Outcome
    package let after: Outcome
    /// The reason of the new decision, for a support person.
    package let reason: String
}

extension ReplayChange.Outcome {
    init(_ session: Session) {
        self.init(
            outcome: session.explanation.outcome, matcher: session.explanation.matcher, link: session.link, click: session.click)
    }

    init(_ decision: AttributionDecision) {
        self.init(
            outcome: decision.outcome, matcher: decision.matcher, link: decision.match?.link, click: decision.match?.click)
    }
}
