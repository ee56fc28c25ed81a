import Linden
import LindenKernel

/// A reward that a rule grants to one identity for one action.
struct EarnedReward {
    let rule: RewardRule
    let user: Identity.ID
    let cause: CreditCause
    /// The uniqueness keys of the reward.
    let claims: [UniquenessKey]
    /// The reward of the same action that was held before this one and has the keys of both.
    let first: HeldReward.ID?
}

/// What became of an earned reward.
enum Settlement {
    case granted
    case held(HeldReward.ID)
    /// It was not earned, or dropped because too many are held.
    case nothing
}

/// A read-write transaction, as far as the granting of rewards needs it: postings, the counts of rules, held rewards and settings.
package protocol GrantingTransaction: PostingTransaction, RewardRepository, HeldRewardRepository, AppReader {}

/// The granting and holding of earned rewards within a transaction.
struct RewardGrants {
    let transaction: any GrantingTransaction

    private var ledger: Ledger { Ledger(transaction: transaction) }

    /// Grants a reward. Returns nil and grants nothing if it was earned before, a cap is reached, the balance would become too large or
    /// the user has ``Bucket/mostOfUser`` other buckets.
    @discardableResult
    func give(_ reward: EarnedReward) throws -> CreditTransaction.ID? {
        let rule = reward.rule
        guard try !reward.claims.contains(where: { try ledger.isTaken($0, in: rule.scope) }), try mayReward(reward.user, by: rule)
        else {
            return nil
        }
        let end = rule.daysValid.map { transaction.now + .seconds($0 * 86400) }
        return try ledger.post(
            .reward,
            [
                Posting(.user(reward.user), rule.bucket, rule.amount.value, expiresAt: end),
                Posting(.app(.issued), rule.bucket, -rule.amount.value),
            ], because: reward.cause, claims: reward.claims, in: rule.scope)
    }

    /// Holds the reward of a flagged device back, or grants and reverses it at once, depending on the app's `fraud.action`.
    func holdOrReverse(_ reward: EarnedReward, from origin: RewardOrigin?, because reasons: [String]) throws -> Settlement {
        let rule = reward.rule
        switch try transaction.app(rule.scope.app)?.configuration.fraud.action {
        case .hold, nil: return try hold(reward, from: origin, because: reasons)
        case .remove:
            guard let given = try give(reward) else { return .nothing }
            var cause = CreditCause(.reversal)
            cause.undone = given
            cause.metadata = ["reasons": JSON(reasons)]
            try ledger.post(
                .fraud,
                [
                    Posting(.user(reward.user), rule.bucket, -rule.amount.value, from: given),
                    Posting(.app(.issued), rule.bucket, rule.amount.value),
                ], because: cause, claims: [.reversal(of: given)], in: rule.scope)
            return .granted
        }
    }

    /// Holds a reward for the operator. Only counts it as dropped if the day's maximum of held rewards is reached: that of its address, of
    /// its network or of all.
    func hold(_ reward: EarnedReward, from origin: RewardOrigin?, because reasons: [String]) throws -> Settlement {
        let rule = reward.rule
        let (sources, day) = ((origin ?? RewardOrigin()).sources, transaction.now.day)
        // All counters are read, those of most calls first, before any is written: otherwise each new address would add its rows even if
        // the day's maximum is reached. A concurrent transaction may fill one in between; it stays full for the day, so those before it
        // need not be restored.
        let isHeld =
            try sources.reversed().allSatisfy {
                try transaction.heldRewards(from: $0, in: rule.scope, on: day) < HeldReward.dailyLimit(of: $0)
            }
            && sources.allSatisfy {
                try transaction.countHeldReward(from: $0, in: rule.scope, on: day, limit: HeldReward.dailyLimit(of: $0))
            }
        guard isHeld else {
            try transaction.countDroppedReward(in: rule.scope, on: day)
            return .nothing
        }
        let id: HeldReward.ID = try transaction.newID()
        try transaction.insert(
            HeldReward(
                id: id, user: reward.user, scope: rule.scope, rule: rule.id, cause: reward.cause, reasons: reasons,
                address: origin?.address, network: origin?.network, first: reward.first))
        // The claims are taken even if the operator refuses the reward later.
        try ledger.take(reward.claims, for: Identifier(rawValue: id.rawValue), in: rule.scope)
        return .held(id)
    }

    /// Whether an identity may receive one more reward of a rule; if so, counts it against the caps.
    private func mayReward(_ user: Identity.ID, by rule: RewardRule) throws -> Bool {
        guard try ledger.canAdd(rule.amount.value, to: user, in: rule.bucket, rule.scope) else { return false }
        let caps = [(day: Int64?.none, cap: rule.caps.perUser), (day: transaction.now.day, cap: rule.caps.perDay)]
        for case (let day, let cap?) in caps where try transaction.rewards(by: rule.id, to: user, on: day) >= cap { return false }
        for case (let day, let cap?) in caps where try !transaction.countReward(by: rule.id, to: user, on: day, cap: cap) {
            throw Failure.unavailable("Another reward of the user is being written; please try again.")
        }
        return true
    }
}
