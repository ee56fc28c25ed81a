import LinkRouting

package protocol ReferralReader {
    /// Who brought the user of a session into it; nil also for one who brought himself.
    func referrer(into session: Session.ID) throws -> Identity.ID?
    /// Who brought a user last, and into which session.
    func lastReferral(of user: Identity.ID) throws -> (referrer: Identity.ID, session: Session.ID)?
    /// Whether a device was ever a user's.
    func wasUsed(_ device: Device.ID, by user: Identity.ID) throws -> Bool
    /// Whether a device is the same phone as one of a user's, by its own ids.
    func isSamePhone(_ device: Device.ID, asOneOf user: Identity.ID) throws -> Bool
    /// Whether one of a user's devices had a session from an address.
    func wasAt(_ address: String, _ user: Identity.ID, in scope: Scope, since: Timestamp) throws -> Bool
}

package protocol ReferralRepository: ReferralReader {
    func insertReferral(of user: Identity.ID, by referrer: Identity.ID, into session: Session.ID) throws
}

extension Transaction {
    /// Who brought the user of a session, noted for the events that come after it. Nobody refers himself: not as another user of his
    /// device, nor from where his own devices were a moment ago, unless the app wants these to be looked at by its operator.
    func noteReferral(_ session: Session, from addresses: [String]) throws -> Identity.ID? {
        guard let referrer = session.referrer, referrer != session.identity,
            try !wasUsed(session.device, by: referrer), try !isSamePhone(session.device, asOneOf: referrer)
        else { return nil }
        let since = now - .seconds(Link.standardMatchSeconds)
        if try addresses.contains(where: { try wasAt($0, referrer, in: session.scope, since: since) }) {
            guard let settings = try app(session.scope.app)?.configuration.fraud, settings.suspectsReferrersAddress else {
                return nil
            }
            try suspect(session.device, because: ["It came from where the user who refers it had just been."])
        }
        try insertReferral(of: session.identity, by: referrer, into: session.id)
        return referrer
    }

    /// Who brought the user of an event: into the session that it names, which must be his. Newer SDKs name none: then who brought him last,
    /// if the click is not older than an event may be that is credited to it.
    func referrer(behind event: Event) throws -> Identity.ID? {
        guard let user = event.identity else { return nil }
        if let named = event.session { return try session(named)?.identity == user ? referrer(into: named) : nil }
        guard let last = try lastReferral(of: user), let session = try session(last.session) else { return nil }
        return try now < conversionEnd(of: session) ? last.referrer : nil
    }

    private func conversionEnd(of session: Session) throws -> Timestamp {
        let click = try session.click.flatMap(click)
        let link = try click.flatMap(link(of:))
        let windows = AttributionWindows(
            link?.controlParameters(appended: click?.query) ?? ControlParameters(),
            app: try app(session.scope.app)?.configuration ?? AppConfiguration())
        return (session.click?.time ?? session.id.time) + .seconds(windows.conversion)
    }
}
