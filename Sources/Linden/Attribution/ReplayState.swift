/// What a replay has changed so far, or would have.
struct ReplayState: Sendable {
    /// The devices that were given clicks.
    private(set) var holders: [Click.ID: Device.ID] = [:]
    /// One-time links that were used.
    private(set) var usedLinks: Set<Link.ID> = []
    /// Sessions that have another click than before, or none.
    private(set) var changed: Set<Session.ID> = []
    /// What sessions had that must give up their click and whose turn is yet to come.
    private(set) var displaced: [Session.ID: ReplayChange.Outcome] = [:]

    /// Whether a session needs a closer look.
    func mayChange(_ session: Session, _ rules: AttributionRules) -> Bool {
        guard let evidence = session.evidence else { return false }
        let match = AttributionPolicy.decide(evidence, rules).match
        if let click = match?.click, let holder = holders[click], holder != session.device { return true }
        return displaced[session.id] != nil || !before(session).isKept(by: match)
    }

    func before(_ session: Session) -> ReplayChange.Outcome { displaced[session.id] ?? .init(session) }

    /// Decides sessions in their order, and with them those up to a last one that must give up a click.
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
        if let click = new.decision.match?.click { holders[click] = session.device }
        if let link = new.usedLink { usedLinks.insert(link) }
        for later in new.displaced { displaced[later.id] = before(later) }
        displaced[session.id] = nil
        return change
    }
}

/// A session and what is decided of it now, which is not what it has.
struct NewDecision: Sendable {
    let session: Session
    let decision: AttributionDecision
    /// Later sessions of other devices that must give up the click.
    let displaced: [Session]
    /// The link that is used up by it.
    let usedLink: Link.ID?
}

extension Reader {
    /// What is decided of a session now; nil if it keeps what it has.
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
            let isAnothers = state.holders[click].map { $0 != session.device } ?? false
            if !isAnothers {
                if before.isKept(by: match) { return nil }
                if let price = try price(of: click, for: session, replay, state) {
                    return NewDecision(session: session, decision: decision, displaced: price.displaced, usedLink: price.usedLink)
                }
            }
            guard let rest = evidence.claiming(click) else { return nil }
            evidence = rest
        }
    }

    /// Who must give up a click, and which link it uses up, for a session to be given it; nil if it cannot be.
    private func price(
        of id: Click.ID, for session: Session, _ replay: Replay, _ state: ReplayState
    ) throws -> (displaced: [Session], usedLink: Link.ID?)? {
        guard let click = try click(id), click.scope == session.scope, let link = try link(of: click) else { return nil }
        let others =
            state.holders[id] != nil
            ? []
            : try sessions(givenTo: id).filter { $0.device != session.device && !state.changed.contains($0.id) && $0.takesClicks }
        guard others.allSatisfy({ session.id < $0.id && $0.id < replay.endID && $0.has(byLikeness: id) }) else { return nil }
        guard link.isOneTimeUse, !link.isLong, others.isEmpty else { return (others, nil) }
        return link.isUsedUp || state.usedLinks.contains(link.id) ? nil : ([], link.id)
    }
}

extension ReplayChange.Outcome {
    /// Whether a session that has this has what a match gives it: the same click, or one of its own where it was opened by a URL.
    func isKept(by match: Match?) -> Bool { match != nil && match?.click == nil || click == match?.click }
}

extension Evidence {
    /// The same, had another device been given a click; nil if the click is known by more than likeness.
    func claiming(_ click: Click.ID) -> Evidence? {
        guard let index = likeness?.clicks.firstIndex(where: { $0.click == click && !$0.isClaimed }) else { return nil }
        var evidence = self
        evidence.likeness?.clicks[index].isClaimed = true
        return evidence
    }
}

extension Session {
    /// A page takes no click away: the app may be opened after it.
    fileprivate var takesClicks: Bool { kind != .web }

    fileprivate func has(byLikeness click: Click.ID) -> Bool {
        explanation.object?["matcher"]?.string == FingerprintMatch.name && evidence?.claiming(click) != nil
    }
}
