/// Rules are applied in the transaction that writes what they reward, so that a retry, which writes nothing, rewards nobody again.
extension Transaction {
    /// To be called for every session that was written.
    ///
    /// - Parameter addresses: from where it began, in every form in which devices may have been noted there, see ``KeptAddress``.
    func reward(_ session: Session, from addresses: [String]) throws {
        let referrer = try noteReferral(session, from: addresses)
        try noteSuspicions(session, from: addresses)
        guard let action = RewardedAction(session, referrer: referrer) else { return }
        try reward(action)
    }

    /// To be called for every event that was written.
    func reward(_ event: Event) throws {
        guard try !rewardRules(for: EventName(event.name), in: event.scope).isEmpty,
            let action = RewardedAction(event, referrer: try referrer(behind: event))
        else { return }
        try reward(action)
    }

    private func reward(_ action: RewardedAction) throws {
        // Whoever leaves his device out of a report gets nothing by it.
        let device = try action.device ?? device(of: action.actor)?.id
        for rule in try rewardRules(for: EventName(action.name), in: action.scope) where action.passes(rule.filter) {
            try reward(action, on: device, by: rule)
        }
    }

    private func reward(_ action: RewardedAction, on device: Device.ID?, by rule: RewardRule) throws {
        var claims = claims(of: action, on: device, by: rule)
        guard try !claims.contains(where: { try isTaken($0, in: rule.scope) }) else { return }
        let suspicions = try device.map(suspicions(against:)) ?? []
        for (user, party) in recipients(of: action, by: rule) {
            var cause = CreditCause(.rule)
            cause.rule = rule.id
            cause.session = action.session
            cause.event = action.event
            cause.eventName = action.name
            cause.party = party
            let reward = EarnedReward(rule: rule, user: user, cause: cause, claims: claims)
            let isSettled = try suspicions.isEmpty ? give(reward) != nil : distrust(reward, because: suspicions)
            // What happens once happened, for both.
            if isSettled { claims = [] }
        }
    }

    private func recipients(of action: RewardedAction, by rule: RewardRule) -> [(user: Identity.ID, party: OtherParty?)] {
        let actor = (action.actor, action.referrer.map(OtherParty.referrer))
        guard let referrer = action.referrer else { return rule.recipient == .actor ? [actor] : [] }
        switch rule.recipient {
        case .actor, .actorIfReferred: return [actor]
        case .referrer: return [(referrer, .referree(action.actor))]
        case .both: return [actor, (referrer, .referree(action.actor))]
        }
    }

    /// What a rule rewards once: the first time of a user, and of a device whoever uses it.
    private func claims(of action: RewardedAction, on device: Device.ID?, by rule: RewardRule) -> [CreditClaim] {
        var claims: [CreditClaim] = []
        if rule.isFirstOnly { claims.append(.rule(rule.id, actor: action.actor)) }
        if rule.isOncePerDevice, let device { claims.append(.rule(rule.id, device: device)) }
        return claims
    }
}
