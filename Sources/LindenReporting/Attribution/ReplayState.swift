import Linden
import LindenKernel

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
            changes.append(state.record(new))
            waiting.formUnion(new.displaced.map(\.id).filter { $0 <= last })
        }
        return (changes, state)
    }

    private mutating func record(_ new: NewDecision) -> ReplayChange {
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
