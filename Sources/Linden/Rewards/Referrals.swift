import LinkRouting

package protocol ReferralReader {
    /// The identity that referred a session's identity into it; nil also if the two are the same.
    func referrer(into session: Session.ID) throws -> Identity.ID?
    /// The latest referral of an identity: its referrer and the session it led to.
    func lastReferral(of user: Identity.ID) throws -> (referrer: Identity.ID, session: Session.ID)?
    /// Whether an identity ever had a session on a device.
    func wasUsed(_ device: Device.ID, by user: Identity.ID) throws -> Bool
    /// Whether a device is the same phone as one of an identity's devices, by hardware or advertising id.
    func isSamePhone(_ device: Device.ID, asOneOf user: Identity.ID) throws -> Bool
    /// Whether one of an identity's devices was recorded at an address since a time.
    func wasAt(_ address: String, _ user: Identity.ID, in scope: Scope, since: Timestamp) throws -> Bool
}

package protocol ReferralRepository: ReferralReader {
    func insertReferral(of user: Identity.ID, by referrer: Identity.ID, into session: Session.ID) throws
}

extension Transaction {
    /// Determines the referrer of a session and records it for later events. An identity cannot refer itself: not through another identity
    /// on its device or phone, nor from an address where its own devices were within the standard match window. If `fraud.self_referral` is
    /// on, the latter is a referral, but the device is flagged.
    func noteReferral(_ session: Session, from addresses: [String]) throws -> Identity.ID? {
        guard let referrer = session.referrer, referrer != session.identity,
            try !wasUsed(session.device, by: referrer), try !isSamePhone(session.device, asOneOf: referrer)
        else { return nil }
        let since = now - .seconds(Link.standardMatchSeconds)
        if try addresses.contains(where: { try wasAt($0, referrer, in: session.scope, since: since) }) {
            guard let settings = try app(session.scope.app)?.configuration.fraud, settings.suspectsReferrersAddress else {
                return nil
            }
            try flag(session.device, because: ["It came from where the user who refers it had just been."])
        }
        try insertReferral(of: session.identity, by: referrer, into: session.id)
        return referrer
    }

    /// Returns the identity that referred the user of an event into the session named by the event, which must be that user's. Newer SDKs
    /// name no session; then it is the user's latest referrer, within the conversion window of the referral's click.
    func referrer(behind event: Event) throws -> Identity.ID? {
        guard let user = event.identity else { return nil }
        if let named = event.session { return try sessionReference(named)?.identity == user ? referrer(into: named) : nil }
        guard let last = try lastReferral(of: user), let session = try sessionReference(last.session) else { return nil }
        return try now < conversionEnd(of: session) ? last.referrer : nil
    }

    private func conversionEnd(of session: SessionReference) throws -> Timestamp {
        let app = try app(session.scope.app)?.configuration ?? AppConfiguration()
        let click = try session.click.flatMap(click)
        let windows = try click.flatMap { try self.windows(of: $0, app: app) } ?? AttributionWindows(app: app)
        return (session.click?.time ?? session.id.time) + .seconds(windows.conversion)
    }
}
