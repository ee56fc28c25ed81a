import Linden
import LindenKernel

/// A read-write transaction, as far as the application of reward rules needs it.
package protocol RewardTransaction: GrantingTransaction, ReferralTransaction, RewardLimitTransaction {}

/// The application of reward rules. It runs in the transaction that writes the rewarded session or event, so that a retry, which writes
/// nothing, does not reward again.
struct Rewarding {
    let transaction: any RewardTransaction

    private var referrals: Referrals { Referrals(transaction: transaction) }
    private var limits: DailyRewardLimits { DailyRewardLimits(transaction: transaction) }
    private var grants: RewardGrants { RewardGrants(transaction: transaction) }

    /// Records the referral and the fraud signals of a session, and applies the rules to it, see ``LedgerRecorder/reward(_:from:_:)``.
    func reward(_ session: Session, from addresses: [String], _ origin: RewardOrigin?) throws {
        let referral = try referrals.record(session, from: addresses, origin)
        try FraudSignals(transaction: transaction).flagInstall(session, from: addresses)
        guard let action = RewardedAction(session, referral) else { return }
        let rules = try transaction.rewardRules(for: EventName(action.name), in: action.scope)
        try reward(action, on: try device(of: action, for: origin), by: rules, origin, isReportedByServer: origin == nil)
    }

    /// Applies the rules to an event, see ``LedgerRecorder/reward(_:_:after:)``.
    func reward(_ event: Event, _ origin: RewardOrigin?, after earlier: JSONObject?) throws {
        let rules = try transaction.rewardRules(for: EventName(event.name), in: event.scope)
        guard !rules.isEmpty else { return }
        let referral = try referrals.referral(behind: event)
        guard let action = RewardedAction(event, referral?.recorded) else { return }
        // A server that names no session of the user does not vouch for who referred the user: made-up devices may have used the name
        // first, and a server that opens a session by the name gets such a device. So these rewards count towards the day's limit of
        // calls without the secret.
        let isVouchedFor = referral?.isOfNamedSession ?? true
        try reward(
            action, on: try device(of: action, for: origin), by: rules, origin ?? (isVouchedFor ? nil : RewardOrigin()),
            isReportedByServer: origin == nil, after: earlier.map { EventMetadata(of: $0) })
    }

    /// The device for which an action counts.
    private struct CountedDevice {
        let id: Device.ID?
        /// False if a server names only the user. Others may have logged in on the user's first device by the name, ahead of the user.
        let isNamed: Bool
    }

    /// Returns the device that an action names by its token, or on which its actor is logged in: a client that knows an id of another's device
    /// could name it otherwise, and take what it earns once. An action that names none counts for the actor's own, so that omitting it brings
    /// no advantage; where a server names the user, not for one that was merely logged in by the user's name.
    private func device(of action: RewardedAction, for origin: RewardOrigin?) throws -> CountedDevice {
        if let device = action.device {
            guard !action.isDeviceProven, try transaction.device(device)?.identity != action.actor else {
                return CountedDevice(id: device, isNamed: true)
            }
        }
        return CountedDevice(id: try transaction.device(of: action.actor, orLater: origin != nil)?.id, isNamed: origin != nil)
    }

    private func reward(
        _ action: RewardedAction, on device: CountedDevice, by rules: [RewardRule], _ origin: RewardOrigin?,
        isReportedByServer: Bool, after earlier: EventMetadata? = nil
    ) throws {
        for rule in rules where action.passes(rule.filter) {
            if let earlier, RewardedAction.passes(rule.filter, earlier) { continue }
            try reward(action, on: device, by: rule, origin, isReportedByServer: isReportedByServer)
        }
    }

    private func reward(
        _ action: RewardedAction, on device: CountedDevice, by rule: RewardRule, _ origin: RewardOrigin?, isReportedByServer: Bool
    ) throws {
        guard
            let keys = try RewardClaims(
                of: rule, for: action.actor, on: device.id, isReportedByServer: isReportedByServer, transaction),
            !keys.isDeviceUsed || !device.isNamed
        else { return }
        var (claims, overruled, first) = (keys.free, keys.overruled, HeldReward.ID?.none)
        let signals = try device.id.map { try transaction.fraudSignals(of: $0) } ?? []
        let heldReasons = (rule.recipient == .actor ? [] : action.heldReasons) + (keys.isDeviceUsed ? [Self.usedDevice] : [])
        for (user, counterparty) in recipients(of: action, by: rule) {
            var cause = CreditCause(.rule)
            cause.rule = rule.id
            cause.session = action.session
            cause.event = action.event
            cause.eventName = action.name
            // An event's data is about the user who did it, and may be personal: another recipient's history has only its name.
            if user == action.actor { cause.metadata = action.keptMetadata }
            cause.counterparty = counterparty
            let reward = EarnedReward(rule: rule, user: user, cause: cause, claims: claims, first: first)
            // The claims are taken once, for both recipients.
            switch try settle(reward, overruling: overruled, signals, heldReasons, origin) {
            case .nothing: continue
            case .granted: break
            case .held(let id): first = first ?? id
            }
            (claims, overruled) = ([], [])
        }
    }

    /// Grants a reward, or holds it back.
    ///
    /// - Parameters:
    ///   - overruled: the rewards that it replaces. These wait on if it would have to wait, too.
    ///   - signals: the fraud signals of the device.
    ///   - heldReasons: those of the referral that earned it.
    private func settle(
        _ reward: EarnedReward, overruling overruled: [OverruledReward], _ signals: [String], _ heldReasons: [String],
        _ origin: RewardOrigin?
    ) throws -> Settlement {
        let exceeded = try origin.map { try limits.exceeded(by: $0, in: reward.rule.scope) } ?? []
        let reasons = signals + heldReasons + exceeded.map(\.reason)
        guard reasons.isEmpty || overruled.isEmpty else { return .nothing }
        if !signals.isEmpty { return try grants.holdOrReverse(reward, from: origin, because: reasons) }
        guard reasons.isEmpty else { return try grants.hold(reward, from: origin, because: reasons) }
        guard let granted = try grants.give(reward) else { return .nothing }
        for waiting in overruled { try waiting.replace(by: granted, in: reward.rule.scope, transaction) }
        if let origin { try limits.count(origin, in: reward.rule.scope) }
        return .granted
    }

    private func recipients(of action: RewardedAction, by rule: RewardRule) -> [(user: Identity.ID, counterparty: Counterparty?)] {
        let actor = (action.actor, action.referrer.map(Counterparty.referrer))
        guard let referrer = action.referrer else { return rule.recipient == .actor ? [actor] : [] }
        switch rule.recipient {
        case .actor, .actorIfReferred: return [actor]
        case .referrer: return [(referrer, .referree(action.actor))]
        case .both: return [actor, (referrer, .referree(action.actor))]
        }
    }

    private static let usedDevice = "The user's first device earned this reward for another user before."
}

/// The ledger as sessions, events and logins reach it, within their transaction.
package struct TransactionLedgerRecorder: LedgerRecorder {
    private let transaction: any RewardTransaction

    package init(transaction: any RewardTransaction) {
        self.transaction = transaction
    }

    package func reward(_ session: Session, from addresses: [String], _ origin: RewardOrigin?) throws {
        try Rewarding(transaction: transaction).reward(session, from: addresses, origin)
    }

    package func reward(_ event: Event, _ origin: RewardOrigin?, after earlier: JSONObject?) throws {
        try Rewarding(transaction: transaction).reward(event, origin, after: earlier)
    }

    package func merge(_ anonymous: Identity, into known: Identity, on device: Device.ID?) throws {
        guard anonymous.developerIdentity == nil else { return }
        try CreditMerge(transaction: transaction).mergeCredits(of: anonymous, into: known)
        if let device { try Referrals(transaction: transaction).move(from: anonymous.id, to: known.id, on: device) }
    }
}
