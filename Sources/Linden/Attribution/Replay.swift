/// A wish to decide stored sessions anew.
package struct Replay: Sendable {
    /// The first moment of the sessions, and the first after them.
    package var start: Timestamp
    package var end: Timestamp
    /// Nil for the sessions of every app.
    package var scope: Scope?
    package var rules: AttributionRules
    /// Whether what would be decided differently is changed.
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

    /// Ids have an end, in 2094.
    private static func firstID(at time: Timestamp) -> Session.ID {
        Session.ID(rawValue: time < IDGenerator.time(of: .max) ? IDGenerator.first(at: time) : .max)
    }
}

/// How far a replay came and what it found.
package struct ReplayFigures: Sendable, Equatable {
    /// Sessions that an app or a page began; those that a change of user made have nothing to decide.
    package var sessions = 0
    /// Those among them from before evidence was kept, about which nothing can be said.
    package var withoutEvidence = 0
    /// Those that are decided differently.
    package var changed = 0

    package init(sessions: Int = 0, withoutEvidence: Int = 0, changed: Int = 0) {
        self.sessions = sessions
        self.withoutEvidence = withoutEvidence
        self.changed = changed
    }
}

/// A session that is decided differently now.
package struct ReplayChange: Sendable, Equatable {
    /// What a session is given to.
    package struct Outcome: Sendable, Equatable {
        /// In the words of ``AttributionDecision/Outcome``.
        package let outcome: String?
        package let matcher: String?
        package let link: Link.ID?
        package let click: Click.ID?
    }

    package let session: Session.ID
    package let before: Outcome
    package let after: Outcome
    /// Of the decision now, for a support person.
    package let reason: String
}

extension ReplayChange {
    /// With ids as the wire has them.
    package func json(_ ids: PublicIDs) -> JSON {
        [
            "session_id": .string(ids.string(for: session)), "started_at": .string(session.time.iso8601),
            "before": before.json(ids), "after": after.json(ids), "reason": .string(reason),
        ]
    }
}

extension ReplayChange.Outcome {
    init(_ session: Session) {
        let members = session.explanation.object
        self.init(
            outcome: members?["outcome"]?.string, matcher: members?["matcher"]?.string, link: session.link, click: session.click)
    }

    init(_ decision: AttributionDecision) {
        self.init(
            outcome: decision.outcome.rawValue, matcher: decision.matcher, link: decision.match?.link, click: decision.match?.click)
    }

    fileprivate func json(_ ids: PublicIDs) -> JSON {
        [
            "outcome": JSON(outcome), "matcher": JSON(matcher), "link_id": JSON(link.map { String($0.rawValue) }),
            "click_id": JSON(click.map { ids.string(for: $0) }),
        ]
    }
}
