import Linden
import LindenKernel

/// A read-write transaction, as far as an applied replay needs it.
package protocol ReplayTransaction: ReplayDecisionReader, ReplayRepository, ClickRepository, LinkRepository, DeviceReader,
    IdentityRepository, TextMessageReader, SnapshotReader
{}

/// Applies a replay within a transaction.
struct ReplayApplier {
    let transaction: any ReplayTransaction
    let replay: Replay
    let baseURL: BaseURL
    let publicIDs: PublicIDs

    /// Decides a session again, claiming the matched click first if it is still claimable; nil if the session keeps what it has.
    ///
    /// The claim comes before the final decision, so that a concurrent app launch either has the click already and is seen here, or finds
    /// it claimed.
    func claimedDecision(_ id: Session.ID, _ state: ReplayState) throws -> NewDecision? {
        let decider = ReplayDecider(reader: transaction, replay: replay)
        var new = try decider.newDecision(id, state)
        var claimed: Click.ID?
        while let wanted = new?.decision.match?.click, wanted != claimed {
            _ = try transaction.claim(wanted)
            claimed = wanted
            new = try decider.newDecision(id, state)
        }
        return new
    }

    /// Writes a decision and everything the session's first decision had written, and decides the displaced sessions again.
    func apply(_ new: NewDecision) throws {
        for later in new.displaced {
            guard var evidence = later.evidence else { continue }
            var decision = AttributionPolicy.decide(evidence, replay.rules)
            while let rest = decision.match?.click.flatMap(evidence.claiming) {
                evidence = rest
                decision = AttributionPolicy.decide(evidence, replay.rules)
            }
            try rewrite(later, decision)
        }
        if let link = new.usedLink { _ = try transaction.useUp(link, at: transaction.now) }
        try rewrite(new.session, new.decision)
    }

    private func rewrite(_ session: Session, _ decision: AttributionDecision) throws {
        let isFirst = session.data["+is_first_session"] == true
        var referral: Referral?
        if let match = decision.match, let click = try match.click.flatMap({ try transaction.click($0) }),
            let link = try transaction.link(of: click)
        {
            let isStrict = try transaction.app(session.scope.app)?.configuration.isStrict ?? true
            referral = try transaction.referral(link, click, match, baseURL, publicIDs, isStrict: isStrict)
        }
        let credited = referral.flatMap { $0.isAttributed ? $0 : nil }
        let foreignURL = session.data["+non_branch_link"]?.string
        let decided = Session(
            id: session.id, scope: session.scope, device: session.device, identity: session.identity, kind: session.kind,
            link: credited?.link.id, click: referral?.click,
            referrer: !(session.evidence?.mayBeReferred ?? true)
                ? nil : credited?.owner.flatMap { $0 == session.identity ? nil : $0 },
            data: referral.map { ReferringData.stored(ReferringData.referred(by: $0, isFirstSession: isFirst)) }
                ?? decision.ad.map { ReferringData.advertised(by: $0, isFirstSession: isFirst, foreignURL: foreignURL) }
                ?? ReferringData.organic(isFirstSession: isFirst, foreignURL: foreignURL),
            explanation: StoredDecision(decision), evidence: session.evidence)
        try transaction.redecide(session, as: decided)
        try replaceTouches(session, by: credited?.click)
        if isFirst, try transaction.firstSessionData(of: session.identity) == session.data {
            try transaction.replaceFirstSessionData(decided.data, of: session.identity)
        }
    }

    /// Updates the last touch of the device and the identity, unless a later session set it. A session that loses its click leaves no last
    /// touch: the clicks of earlier sessions are not searched.
    private func replaceTouches(_ session: Session, by click: Click.ID?) throws {
        let ofDevice = try transaction.device(session.device)?.lastClick
        if try mayReplace(
            ofDevice, session, by: click,
            isLaters: { try transaction.hasSession(after: session.id, givenTo: $0, on: session.device) })
        {
            try transaction.replaceLastTouch(click, ofDevice: session.device)
        }
        let ofUser = try transaction.identity(session.identity)?.lastClick
        if try mayReplace(
            ofUser, session, by: click,
            isLaters: { try transaction.hasSession(after: session.id, givenTo: $0, of: session.identity) })
        {
            try transaction.replaceLastTouch(click, ofIdentity: session.identity)
        }
    }

    /// - Parameter isLaters: whether a later session of the device or identity was given a click.
    private func mayReplace(
        _ touch: Click.ID?, _ session: Session, by click: Click.ID?, isLaters: (Click.ID) throws -> Bool
    ) throws -> Bool {
        guard let touch else { return click != nil }
        guard click != nil || touch == session.click else { return false }
        return try !isLaters(touch)
    }
}
