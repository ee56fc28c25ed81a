import Linden
import LindenKernel
import LinkRouting

/// The referral of an identity: who referred it, and into which session.
package struct RecordedReferral: Sendable {
    package let referrer: Identity.ID
    package let session: Session.ID
    /// The reasons for holding its rewards, as sentences; empty if they are granted.
    package let heldReasons: [String]
    /// Whether a later referral of the identity on the device stands for it in the day's counts.
    package let isReplaced: Bool

    package init(referrer: Identity.ID, session: Session.ID, heldReasons: [String], isReplaced: Bool = false) {
        self.referrer = referrer
        self.session = session
        self.heldReasons = heldReasons
        self.isReplaced = isReplaced
    }
}

package protocol ReferralReader {
    /// The referral of a session's identity into it; nil also if it would be its own referrer.
    func referral(into session: Session.ID) throws -> RecordedReferral?
    /// The latest referral of an identity on a device.
    func lastReferral(of user: Identity.ID, on device: Device.ID) throws -> RecordedReferral?
    /// Whether an identity ever had a session on a device.
    func wasUsed(_ device: Device.ID, by user: Identity.ID) throws -> Bool
    /// Whether a device is the same phone as one of an identity's devices, by hardware or advertising id.
    func isSamePhone(_ device: Device.ID, asOneOf user: Identity.ID) throws -> Bool
    /// Whether one of an identity's devices was recorded at an address since a time.
    func wasAt(_ address: String, _ user: Identity.ID, in scope: Scope, since: Timestamp) throws -> Bool
    /// Whether a device was recorded at an address since a time.
    func wasAt(_ address: String, _ device: Device.ID, in scope: Scope, since: Timestamp) throws -> Bool
}

package protocol ReferralRepository: ReferralReader {
    func insertReferral(_ referral: RecordedReferral, of user: Identity.ID, on device: Device.ID) throws
    /// Records that a later referral of the identity on the device stands for a referral in the day's counts.
    func replaceReferral(into session: Session.ID) throws
    /// Makes a referral that of another identity.
    func moveReferral(into session: Session.ID, to user: Identity.ID) throws
    func deleteReferral(into session: Session.ID) throws
}

/// A read-write transaction, as far as referrals need it: referrals, sessions, the windows of links, what flags a device, and daily limits.
package protocol ReferralTransaction: ReferralRepository, ReferrerTraceReader, SessionReader, LinkReader, FraudTransaction,
    RewardLimitTransaction
{}

/// The referrals of identities within a transaction.
struct Referrals {
    let transaction: any ReferralTransaction

    /// Determines the referrer of a session and records it for later events. Only sessions on the user's own device count, see
    /// ``DeviceReader/countsReferrals(_:of:)``. An identity cannot refer itself: not through another identity on its device or phone, nor
    /// from an address where its own devices were within the standard match window. If `fraud.self_referral` is on, the latter is a
    /// referral, but the device is flagged. The rewards of a referral beyond the day's limits are held.
    ///
    /// - Parameter origin: the origin of the call, for limits; nil for a server with the secret.
    func record(_ session: Session, from addresses: [String], _ origin: RewardOrigin?) throws -> RecordedReferral? {
        guard let referrer = session.referrer, referrer != session.identity,
            try transaction.countsReferrals(session.device, of: session.identity)
        else { return nil }
        let configuration = try transaction.app(session.scope.app)?.configuration ?? AppConfiguration()
        let trace = ReferrerTrace(reader: transaction, referrer: referrer, isStrict: configuration.isStrict)
        guard try !trace.isPhone(session.device) else { return nil }
        if try trace.wasAt(addresses, in: session.scope) {
            guard configuration.fraud.flagsSelfReferral else { return nil }
            try FraudSignals(transaction: transaction).flag(
                session.device, because: ["It came from where the user who refers it had just been."])
        }
        let referral = RecordedReferral(
            referrer: referrer, session: session.id, heldReasons: try heldReasons(of: session, origin))
        try transaction.insertReferral(referral, of: session.identity, on: session.device)
        return referral
    }

    /// Counts the referral of a session for its origin, unless the identity was counted before, and returns the reasons for holding its
    /// rewards. A user who opens the app by links every day is one referred user. The latest referral stands for the earlier ones, so that
    /// only it can move to another identity.
    private func heldReasons(of session: Session, _ origin: RewardOrigin?) throws -> [String] {
        if let earlier = try transaction.lastReferral(of: session.identity, on: session.device), !earlier.isReplaced,
            earlier.heldReasons.isEmpty
        {
            try transaction.replaceReferral(into: earlier.session)
            return []
        }
        guard let origin else { return [] }
        let limits = DailyRewardLimits(transaction: transaction, counted: .referrals)
        let exceeded = try limits.exceeded(by: origin, in: session.scope)
        if exceeded.isEmpty { try limits.count(origin, in: session.scope) }
        return exceeded.map(\.reason)
    }

    /// Makes the latest referral of an anonymous identity on a device that of the known one which logs in there, if the device is its own.
    /// If the known one turns out to be the referrer, it is deleted: the anonymous identity loses it either way, so that what is left does
    /// not tell who shared a link.
    func move(from anonymous: Identity.ID, to known: Identity.ID, on device: Device.ID) throws {
        guard let last = try transaction.lastReferral(of: anonymous, on: device), !last.isReplaced,
            try transaction.countsReferrals(device, of: known)
        else { return }
        guard last.referrer != known else { return try transaction.deleteReferral(into: last.session) }
        try transaction.moveReferral(into: last.session, to: known)
    }

    /// Returns the referral of the user of an event into the session that the event names, if it is that user's. Otherwise, as with newer
    /// SDKs, which name no session, it is the latest referral on the device of the session or the event, or else on the user's first device,
    /// within the conversion window of the referral's click.
    func referral(behind event: Event) throws -> (recorded: RecordedReferral, isOfNamedSession: Bool)? {
        guard let user = event.identity else { return nil }
        let named = try event.session.flatMap { try transaction.sessionReference($0) }
        if let named, named.identity == user {
            return try transaction.referral(into: named.id).map { (recorded: $0, isOfNamedSession: true) }
        }
        guard let device = try named?.device ?? event.device ?? transaction.firstDevice(of: user),
            let last = try transaction.lastReferral(of: user, on: device),
            let session = try transaction.sessionReference(last.session)
        else { return nil }
        return try transaction.now < conversionEnd(of: session) ? (recorded: last, isOfNamedSession: false) : nil
    }

    private func conversionEnd(of session: SessionReference) throws -> Timestamp {
        let app = try transaction.app(session.scope.app)?.configuration ?? AppConfiguration()
        let click = try session.click.flatMap { try transaction.click($0) }
        let windows = try click.flatMap { try transaction.windows(of: $0, app: app) } ?? AttributionWindows(app: app)
        return (session.click?.time ?? session.id.time) + .seconds(windows.conversion)
    }
}
