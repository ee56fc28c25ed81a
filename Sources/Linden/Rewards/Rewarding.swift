/// Rules are applied in the transaction that writes what they reward, so that a retry, which writes nothing, rewards nobody again.
extension Transaction {
    /// To be called for every session that was written.
    ///
    /// - Parameter address: from where it began, as devices are noted with, see ``AddressRepository``.
    func reward(_ session: Session, from address: String) throws {
        let referrer = try noteReferral(session, from: address)
        guard let action = RewardedAction(session, referrer: referrer) else { return }
        try reward(action)
    }

    /// To be called for every event that was written.
    func reward(_ event: Event) throws {
        guard try !rewardRules(for: event.name, in: event.scope).isEmpty,
            let action = RewardedAction(event, referrer: try referrer(behind: event))
        else { return }
        try reward(action)
    }

    private func reward(_ action: RewardedAction) throws {
        for rule in try rewardRules(for: action.name, in: action.scope) where action.passes(rule.filter) {
            try reward(action, by: rule)
        }
    }

    private func reward(_ action: RewardedAction, by rule: RewardRule) throws {
        var claims = claims(of: action, on: rule)
        guard try !claims.contains(where: { try isTaken($0, in: rule.scope) }) else { return }
        for (user, party) in recipients(of: action, by: rule) where try mayReward(user, by: rule) {
            var cause = CreditCause(.rule)
            cause.rule = rule.id
            cause.session = action.session
            cause.event = action.event
            cause.eventName = action.name
            cause.party = party
            let end = rule.daysValid.map { now + .seconds($0 * 86400) }
            try post(
                .reward,
                [
                    CreditLine(.user(user), rule.bucket, rule.amount.value, expiresAt: end),
                    CreditLine(.app(.issued), rule.bucket, -rule.amount.value),
                ], because: cause, claims: claims, in: rule.scope)
            // What happens once happened, for both.
            claims = []
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
    private func claims(of action: RewardedAction, on rule: RewardRule) -> [CreditClaim] {
        var claims: [CreditClaim] = []
        if rule.isFirstOnly { claims.append(.rule(rule.id, actor: action.actor)) }
        if rule.isOncePerDevice, let device = action.device { claims.append(.rule(rule.id, device: device)) }
        return claims
    }

    /// Whether a user may have one more reward; if so, it is counted.
    private func mayReward(_ user: Identity.ID, by rule: RewardRule) throws -> Bool {
        guard try creditBalance(of: user, in: rule.bucket) <= CreditAmount.largest - rule.amount.value else { return false }
        let caps = [(day: Int64?.none, cap: rule.caps.perUser), (day: now.day, cap: rule.caps.perDay)]
        for case (let day, let cap?) in caps where try rewards(by: rule.id, to: user, on: day) >= cap { return false }
        for case (let day, let cap?) in caps where try !countReward(by: rule.id, to: user, on: day, cap: cap) {
            throw Failure.unavailable("The user was rewarded at the same time; please try again.")
        }
        return true
    }
}
