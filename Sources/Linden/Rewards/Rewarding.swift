/// The application of rules. It runs in the transaction that writes the rewarded session or event, so that a retry, which writes nothing,
/// does not reward again.
extension Transaction {
    /// Applies the rules to a session. To be called for every session that was written.
    ///
    /// - Parameters:
    ///   - addresses: the address where the session began, in all stored forms under which devices may be recorded there, see
    ///     ``StoredAddress``.
    ///   - origin: the origin of the call, for limits; nil for a server with the secret, which has no limits.
    func reward(_ session: Session, from addresses: [String], _ origin: RewardOrigin?) throws {
        let referrer = try noteReferral(session, from: addresses)
        try noteSuspicions(session, from: addresses)
        guard let action = RewardedAction(session, referrer: referrer) else { return }
        try reward(action, origin)
    }

    /// Applies the rules to an event. To be called for every event that was written.
    ///
    /// - Parameter earlier: the body of the event when the rules were applied to it before; nil if they were not. A rule whose filter it
    ///   passes is not applied again.
    func reward(_ event: Event, _ origin: RewardOrigin, after earlier: JSONObject? = nil) throws {
        guard try !rewardRules(for: EventName(event.name), in: event.scope).isEmpty,
            let action = RewardedAction(event, referrer: try referrer(behind: event))
        else { return }
        try reward(action, origin, after: earlier.map { Event.metadata(in: $0) })
    }

    private func reward(_ action: RewardedAction, _ origin: RewardOrigin?, after earlier: JSONObject? = nil) throws {
        // An event without a device counts for the actor's own device, so that omitting it brings no advantage.
        let device = try action.device ?? device(of: action.actor)?.id
        for rule in try rewardRules(for: EventName(action.name), in: action.scope) where action.passes(rule.filter) {
            if let earlier, RewardedAction.passes(rule.filter, earlier) { continue }
            try reward(action, on: device, by: rule, origin)
        }
    }

    private func reward(_ action: RewardedAction, on device: Device.ID?, by rule: RewardRule, _ origin: RewardOrigin?) throws {
        var claims = claims(of: action, on: device, by: rule)
        guard try !claims.contains(where: { try isTaken($0, in: rule.scope) }) else { return }
        let suspicions = try device.map(suspicions(against:)) ?? []
        for (user, counterparty) in recipients(of: action, by: rule) {
            var cause = CreditCause(.rule)
            cause.rule = rule.id
            cause.session = action.session
            cause.event = action.event
            cause.eventName = action.name
            cause.metadata = action.keptMetadata
            cause.counterparty = counterparty
            let reward = EarnedReward(rule: rule, user: user, cause: cause, claims: claims)
            // The claims are taken once, for both recipients.
            if try settle(reward, suspicions, origin) { claims = [] }
        }
    }

    /// Grants a reward, or holds it back. False if it was not earned.
    private func settle(_ reward: EarnedReward, _ suspicions: [String], _ origin: RewardOrigin?) throws -> Bool {
        let exceeded = try origin.map { try exceededLimits(of: $0, in: reward.rule.scope) } ?? []
        let reasons = suspicions + exceeded.map(\.reason)
        if !suspicions.isEmpty { return try holdOrReverse(reward, from: origin, because: reasons) }
        guard exceeded.isEmpty else { return try hold(reward, from: origin, because: reasons) }
        guard try give(reward) != nil else { return false }
        if let origin { try count(rewardFrom: origin, in: reward.rule.scope) }
        return true
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

    /// The uniqueness keys of a reward: for the identity, and for the device whichever identity uses it.
    private func claims(of action: RewardedAction, on device: Device.ID?, by rule: RewardRule) -> [UniquenessKey] {
        var claims: [UniquenessKey] = []
        if rule.isFirstOnly { claims.append(.rule(rule.id, actor: action.actor)) }
        if rule.isOncePerDevice, let device { claims.append(.rule(rule.id, device: device)) }
        return claims
    }
}
