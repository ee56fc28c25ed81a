import Linden
import LindenKernel

/// A consistent view of the data, as far as a replay decides sessions from it.
package protocol ReplayDecisionReader: ReplayReader, SessionReader, ClickReader, LinkReader, AppContextReader {}

/// Decides the sessions of a replay again.
struct ReplayDecider {
    let reader: any ReplayDecisionReader
    let replay: Replay

    /// The sessions of a click that are read: by its id, any number of launches may name it.
    private static let mostSessions = 8

    /// Decides a session again; nil if it keeps what it has.
    func newDecision(_ id: Session.ID, _ state: ReplayState) throws -> NewDecision? {
        guard let session = try reader.session(id), var evidence = session.evidence else { return nil }
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
                if let displacement = try displacement(of: click, for: session, state) {
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
        of id: Click.ID, for session: Session, _ state: ReplayState
    ) throws -> (displaced: [Session], usedLink: Link.ID?)? {
        guard let click = try reader.click(id), click.scope == session.scope, let link = try reader.link(of: click) else {
            return nil
        }
        let given =
            state.clickOwners[id] != nil
            ? [] : try reader.sessions(givenTo: id, besides: session.device, limit: Self.mostSessions)
        // A click that so many devices have was given by its id.
        guard given.count < Self.mostSessions else { return nil }
        let others = given.filter { !state.changed.contains($0.id) }
        guard others.allSatisfy({ session.id < $0.id && $0.id < replay.endID && $0.hasByFingerprint(id) }) else { return nil }
        guard link.isOneTimeUse, !link.isLong, others.isEmpty else { return (others, nil) }
        return link.isUsedUp || state.usedLinks.contains(link.id) ? nil : ([], link.id)
    }
}

extension Session {
    /// Whether the session has the click by a probabilistic match.
    fileprivate func hasByFingerprint(_ click: Click.ID) -> Bool {
        explanation.matcher == FingerprintMatch.name && evidence?.claiming(click) != nil
    }
}
