import LinkRouting

extension Transaction {
    /// Returns the session that an earlier try of the same request started.
    func startedSession(_ id: Session.ID) throws -> StartedSession? {
        guard let session = try session(id), let identity = try identity(session.identity) else { return nil }
        return try startedSession(session, identity)
    }

    private func startedSession(_ session: Session, _ identity: Identity) throws -> StartedSession {
        StartedSession(
            id: session.id, device: session.device, identity: identity, click: session.click, data: session.data,
            referrer: try session.referrer.flatMap(self.identity),
            hasApp: session.kind == .web ? try hasApp(session.device, in: session.scope) : false)
    }

    /// Starts a session.
    func begin(_ beginning: SessionContext) throws -> StartedSession {
        let start = beginning.start
        let (evidence, decision) = try attribute(beginning)
        let user = try user(of: start, at: beginning.site)
        let referral = try referral(decision.match, beginning)
        let credited = referral.flatMap { $0.isAttributed ? $0 : nil }
        let kind = start.kind(ofDevice: user.isKnown, after: user.earlier)
        let isFirst = kind.isInstall || kind == .web && !user.isKnown
        let foreignURL = beginning.opened == nil ? start.opening.url : nil
        let data =
            referral.map { ReferringData.referred(by: $0, isFirstSession: isFirst) }
            ?? decision.ad.map { ReferringData.advertised(by: $0, isFirstSession: isFirst, foreignURL: foreignURL) }
            ?? ReferringData.organic(isFirstSession: isFirst, foreignURL: foreignURL)
        let session = Session(
            id: try newID(), scope: start.scope, device: user.device, identity: user.identity.id, kind: kind,
            link: credited?.link.id, click: start.isTrackingDisabled ? decision.match?.click : referral?.click,
            referrer: start.isReferrable == false ? nil : credited?.owner.flatMap { $0 == user.identity.id ? nil : $0 },
            data: data,
            explanation: decision.explanation(beginning.publicIDs), evidence: evidence)
        if !start.isTrackingDisabled {
            try insert(session)
            try noteDevice(beginning, user.device)
            try noteFirst(session, isFirst: isFirst, start)
            if let credited { try setLastTouch(credited.click, device: user.device, identity: user.identity.id) }
            try joinBrowsers(beginning, session)
            if beginning.exchangesAdTokens, decision.outcome != .matched, let token = start.appleAttributionToken {
                try insert(TokenExchange(session: session.id, token: token, dueAt: now))
            }
            try reward(session, from: beginning.address.all, beginning.rewardOrigin)
        }
        var started = try startedSession(session, user.identity)
        if !start.isTrackingDisabled { started.record = session }
        return started
    }

    /// Stores the parameters of an identity's first session and its referrer, unless the app says that its user does not count as referred.
    /// Where an open may count as well, the first link replaces a first session without one.
    private func noteFirst(_ session: Session, isFirst: Bool, _ start: SessionStart) throws {
        guard start.isReferrable != false else { return }
        if isFirst { try copyFirstSessionData(from: session, replaces: false) }
        if start.isReferrable == true, session.link != nil, try !hasFirstSessionLink(session.identity) {
            try copyFirstSessionData(from: session, replaces: true)
        }
        if let referrer = session.referrer, start.isReferrable ?? isFirst {
            try setReferrer(referrer, of: session.identity)
        }
    }
}
