import Linden
import LindenKernel

/// The uniqueness keys of a once-only rule for one action.
struct RewardClaims {
    /// Those to take with the reward.
    private(set) var free: [UniquenessKey] = []
    /// The rewards that hold others of them, and that this one replaces.
    private(set) var overruled: [OverruledReward] = []
    /// Whether the device earned the reward before.
    private(set) var isDeviceUsed = false

    /// Returns the keys of a rule for an action; nil if its actor earned the reward before.
    ///
    /// - Parameter isReportedByServer: whether a server reports the action with the secret, above what calls without it left behind.
    init?(
        of rule: RewardRule, for actor: Identity.ID, on device: Device.ID?, isReportedByServer: Bool,
        _ transaction: any GrantingTransaction
    ) throws {
        /// Returns whether a key is taken.
        func add(_ claim: UniquenessKey) throws -> Bool {
            guard let taken = try transaction.creditClaim(claim.text, in: rule.scope) else {
                free.append(claim)
                return false
            }
            guard isReportedByServer,
                let reward = try OverruledReward(holding: claim, by: taken.transaction, of: actor, in: rule.scope, transaction)
            else { return true }
            overruled.append(reward)
            return false
        }
        if rule.isFirstOnly, try add(.rule(rule.id, actor: actor)) { return nil }
        if rule.isOncePerDevice, let device { isDeviceUsed = try add(.rule(rule.id, device: device)) }
    }
}

/// A reward that waits for the operator or was refused, and that a server's report of the same once-only action stands above: a call without
/// the secret earned it, which anyone may have sent who knows the user's name.
struct OverruledReward {
    /// The held reward, with that of the referrer if there is one.
    private let held: [HeldReward]
    private let claim: UniquenessKey

    /// Returns the reward that holds a claim; nil unless it is held or refused, and of the same actor.
    fileprivate init?(
        holding claim: UniquenessKey, by id: CreditTransaction.ID, of actor: Identity.ID, in scope: Scope,
        _ reader: any HeldRewardReader
    ) throws {
        self.claim = claim
        held = try reader.heldRewards(beginningWith: HeldReward.ID(rawValue: id.rawValue), in: scope)
        guard let first = held.first, first.actor == actor, !held.contains(where: \.isGranted) else { return nil }
    }

    /// Replaces it by a reward that was granted.
    func replace(by granted: CreditTransaction.ID, in scope: Scope, _ transaction: any GrantingTransaction) throws {
        for reward in held { _ = try transaction.decide(reward.id, in: scope, isGranted: false) }
        try transaction.moveClaim(claim.text, in: scope, to: granted)
    }
}

extension HeldReward {
    /// The identity whose action earned the reward.
    fileprivate var actor: Identity.ID {
        if case .referree(let actor) = cause.counterparty { return actor }
        return user
    }
}
