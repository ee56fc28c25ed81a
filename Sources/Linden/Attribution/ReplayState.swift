/// The changes of a replay so far, applied or not.
struct ReplayState: Sendable {
    /// The click owners: the devices that clicks were assigned to.
    private(set) var clickOwners: [Click.ID: Device.ID] = [:]
    /// One-time links that were consumed.
    private(set) var usedLinks: Set<Link.ID> = []
    /// Sessions that were decided differently.
    private(set) var changed: Set<Session.ID> = []
    /// The previous attribution of sessions that must give up their click and are not decided again yet.
    private(set) var displaced: [Session.ID: ReplayChange.Outcome] = [:]

    /// Returns whether a session must be decided within the replay's transaction.
    func mayChange(_ session: Session, _ rules: AttributionRules) -> Bool {
        guard let evidence = session.evidence else { return false }
        let match = AttributionPolicy.decide(evidence, rules).match
        if let click = match?.click, let holder = clickOwners[click], holder != session.device { return true }
        return displaced[session.id] != nil || !before(session).isKept(by: match)
    }

    func before(_ session: Session) -> ReplayChange.Outcome { displaced[session.id] ?? .init(session) }

    /// Decides sessions in order of their ids, and with them the displaced sessions up to `last`.
    func deciding(
        _ sessions: [Session.ID], through last: Session.ID, by decide: (Session.ID, ReplayState) throws -> NewDecision?
    ) rethrows -> (changes: [ReplayChange], state: ReplayState) {
        var state = self
        var changes: [ReplayChange] = []
        var waiting = Set(sessions)
        while let next = waiting.min() {
            waiting.remove(next)
            guard let new = try decide(next, state) else { continue }
            changes.append(state.note(new))
            waiting.formUnion(new.displaced.map(\.id).filter { $0 <= last })
        }
        return (changes, state)
    }

    private mutating func note(_ new: NewDecision) -> ReplayChange {
        let session = new.session
        let change = ReplayChange(
            session: session.id, before: before(session), after: .init(new.decision), reason: new.decision.reason)
        changed.insert(session.id)
        if let click = new.decision.match?.click { clickOwners[click] = session.device }
        if let link = new.usedLink { usedLinks.insert(link) }
        for later in new.displaced { displaced[later.id] = before(later) }
        displaced[session.id] = nil
        return change
    }
}

/// A session and its new decision, which differs from the stored one.
struct NewDecision: Sendable {
    let session: Session
    let decision: AttributionDecision
    /// Later sessions of other devices that must give up the click.
    let displaced: [Session]
    /// The one-time link that the decision consumes.
    let usedLink: Link.ID?
}

extension Reader {
    /// Decides a session again; nil if it keeps what it has.
    func newDecision(_ id: Session.ID, _ replay: Replay, _ state: ReplayState) throws -> NewDecision? {
        guard let session = try session(id), var evidence = session.evidence else { return nil }
        let before = state.before(session)
        while true {
            let decision = AttributionPolicy.decide(evidence, replay.rules)
            guard let match = decision.match else {
                return before.isKept(by: nil)
                    ? nil : NewDecision(session: session, decision: decision, displaced: [], usedLink: nil)
            }
            guard let click = match.click else { return nil }
            let isAnothers = state.clickOwners[click].map { $0 != session.device } ?? false
            if !isAnothers {
                if before.isKept(by: match) { return nil }
                if let displacement = try displacement(of: click, for: session, replay, state) {
                    return NewDecision(
                        session: session, decision: decision, displaced: displacement.displaced, usedLink: displacement.usedLink)
                }
            }
            guard let rest = evidence.claiming(click) else { return nil }
            evidence = rest
        }
    }

    /// Returns the displacement caused by assigning a click to a session: the sessions that lose it, and the one-time link that is
    /// consumed. Nil if the click cannot be assigned.
    private func displacement(
        of id: Click.ID, for session: Session, _ replay: Replay, _ state: ReplayState
    ) throws -> (displaced: [Session], usedLink: Link.ID?)? {
        guard let click = try click(id), click.scope == session.scope, let link = try link(of: click) else { return nil }
        let others =
            state.clickOwners[id] != nil
            ? []
            : try sessions(givenTo: id).filter { $0.device != session.device && !state.changed.contains($0.id) && $0.takesClicks }
        guard others.allSatisfy({ session.id < $0.id && $0.id < replay.endID && $0.has(byLikeness: id) }) else { return nil }
        guard link.isOneTimeUse, !link.isLong, others.isEmpty else { return (others, nil) }
        return link.isUsedUp || state.usedLinks.contains(link.id) ? nil : ([], link.id)
    }
}

extension ReplayChange.Outcome {
    /// Returns whether a session with this attribution keeps it under a match: the same click, or any match of a launch by URL, whose click
    /// is its own.
    func isKept(by match: Match?) -> Bool { match != nil && match?.click == nil || click == match?.click }
}

extension Evidence {
    /// Returns the evidence with a click marked as claimed by another device; nil if the click is not an unclaimed one of the fingerprint
    /// signals.
    func claiming(_ click: Click.ID) -> Evidence? {
        guard let index = fingerprintSignals?.clicks.firstIndex(where: { $0.click == click && !$0.isClaimed }) else { return nil }
        var evidence = self
        evidence.fingerprintSignals?.clicks[index].isClaimed = true
        return evidence
    }
}

extension Session {
    /// False for a page, which claims no click: the app may be launched after it.
    fileprivate var takesClicks: Bool { kind != .web }

    fileprivate func has(byLikeness click: Click.ID) -> Bool {
        explanation.object?["matcher"]?.string == FingerprintMatch.name && evidence?.claiming(click) != nil
    }
}
