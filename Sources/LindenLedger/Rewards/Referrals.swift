import Linden
import LindenKernel
import LinkRouting

package protocol ReferralReader {
    /// The identity that referred a session's identity into it; nil also if the two are the same.
    func referrer(into session: Session.ID) throws -> Identity.ID?
    /// The latest referral of an identity on a device: its referrer and the session it led to.
    func lastReferral(of user: Identity.ID, on device: Device.ID) throws -> (referrer: Identity.ID, session: Session.ID)?
    /// Whether an identity ever had a session on a device.
    func wasUsed(_ device: Device.ID, by user: Identity.ID) throws -> Bool
    /// Whether a device is the same phone as one of an identity's devices, by hardware or advertising id.
    func isSamePhone(_ device: Device.ID, asOneOf user: Identity.ID) throws -> Bool
    /// Whether one of an identity's devices was recorded at an address since a time.
    func wasAt(_ address: String, _ user: Identity.ID, in scope: Scope, since: Timestamp) throws -> Bool
}

package protocol ReferralRepository: ReferralReader {
    func insertReferral(of user: Identity.ID, by referrer: Identity.ID, into session: SessionReference) throws
}

/// A read-write transaction, as far as referrals need it: referrals, sessions, the windows of links, and what flags a device.
package protocol ReferralTransaction: ReferralRepository, SessionReader, LinkReader, FraudTransaction {}

/// The referrals of identities within a transaction.
struct Referrals {
    let transaction: any ReferralTransaction

    /// Determines the referrer of a session and records it for later events. Only sessions on the user's first device count: anyone who knows
    /// a user's name can make up another, and would take the reward from the identity that brought the user. An identity cannot refer
    /// itself: not through another identity on its device or phone, nor from an address where its own devices were within the standard match
    /// window. If `fraud.self_referral` is on, the latter is a referral, but the device is flagged.
    func record(_ session: Session, from addresses: [String]) throws -> Identity.ID? {
        guard let referrer = session.referrer, referrer != session.identity,
            try transaction.firstDevice(of: session.identity) == session.device,
            try !transaction.wasUsed(session.device, by: referrer), try !transaction.isSamePhone(session.device, asOneOf: referrer)
        else { return nil }
        let since = transaction.now - .seconds(Link.standardMatchSeconds)
        if try addresses.contains(where: { try transaction.wasAt($0, referrer, in: session.scope, since: since) }) {
            guard let settings = try transaction.app(session.scope.app)?.configuration.fraud, settings.flagsSelfReferral
            else {
                return nil
            }
            try FraudSignals(transaction: transaction).flag(
                session.device, because: ["It came from where the user who refers it had just been."])
        }
        try transaction.insertReferral(of: session.identity, by: referrer, into: session.reference)
        return referrer
    }

    /// Returns the identity that referred the user of an event into the session named by the event, which must be that user's. Newer SDKs
    /// name no session; then it is the latest referrer on the event's device, or else on the user's first device, within the conversion
    /// window of the referral's click. Other devices do not count: anyone who knows a user's name can make one up that is the user's.
    func referrer(behind event: Event) throws -> Identity.ID? {
        guard let user = event.identity else { return nil }
        if let named = event.session {
            return try transaction.sessionReference(named)?.identity == user ? transaction.referrer(into: named) : nil
        }
        guard let device = try event.device ?? transaction.firstDevice(of: user),
            let last = try transaction.lastReferral(of: user, on: device),
            let session = try transaction.sessionReference(last.session)
        else { return nil }
        return try transaction.now < conversionEnd(of: session) ? last.referrer : nil
    }

    private func conversionEnd(of session: SessionReference) throws -> Timestamp {
        let app = try transaction.app(session.scope.app)?.configuration ?? AppConfiguration()
        let click = try session.click.flatMap { try transaction.click($0) }
        let windows = try click.flatMap { try transaction.windows(of: $0, app: app) } ?? AttributionWindows(app: app)
        return (session.click?.time ?? session.id.time) + .seconds(windows.conversion)
    }
}
