/// A reward that waits for the operator.
package struct HeldReward: Sendable {
    package typealias ID = Identifier<HeldReward>

    package let id: ID
    /// Whose it would be.
    package let user: Identity.ID
    package let scope: Scope
    package let rule: RewardRule.ID
    package let cause: CreditCause
    /// What speaks against it, in words.
    package let reasons: [String]

    package init(
        id: ID, user: Identity.ID, scope: Scope, rule: RewardRule.ID, cause: CreditCause, reasons: [String]
    ) {
        self.id = id
        self.user = user
        self.scope = scope
        self.rule = rule
        self.cause = cause
        self.reasons = reasons
    }
}

package protocol HeldRewardReader {
    /// Those that wait, oldest first.
    func heldRewards(of scope: Scope, limit: Int) throws -> [HeldReward]
    /// One that waits.
    func heldReward(_ id: HeldReward.ID, in scope: Scope) throws -> HeldReward?
}

package protocol HeldRewardRepository: HeldRewardReader {
    func insert(_ held: HeldReward) throws
    /// It waits no more. False if it does not.
    func decide(_ id: HeldReward.ID, in scope: Scope) throws -> Bool
}

/// Shows, releases and refuses rewards that are held back.
package struct HeldRewardService: Sendable {
    private let storage: any Storage

    package init(storage: any Storage) {
        self.storage = storage
    }

    /// The rewards that wait, with their users' own names.
    package func list(_ scope: Scope, limit: Int) async throws -> [(held: HeldReward, user: Identity?, rule: RewardRule?)] {
        try await storage.read { reader in
            try reader.heldRewards(of: scope, limit: limit).map { held in
                (held, try reader.identity(held.user), try reader.rewardRule(held.rule))
            }
        }
    }

    /// Fails with `notFound` unless a reward waits.
    package func check(_ id: HeldReward.ID, of scope: Scope) async throws {
        guard try await storage.read({ try $0.heldReward(id, in: scope) }) != nil else { throw Failure.noSuchHeldReward(id) }
    }

    /// Gives a reward after all. Fails with `conflict` if the rule's cap is reached by then or the user's account is full.
    package func release(_ id: HeldReward.ID, of scope: Scope) async throws -> CreditRecord? {
        try await storage.write { transaction in
            let held = try transaction.waiting(id, in: scope)
            guard let rule = try transaction.rewardRule(held.rule) else { throw Failure.noSuchHeldReward(id) }
            // What it happens once for was taken when it was held back.
            let reward = EarnedReward(rule: rule, user: held.user, cause: held.cause, claims: [])
            guard let given = try transaction.give(reward) else {
                throw Failure(.conflict, "The user has had by now as much as this rule gives, or his account is full.")
            }
            return try transaction.creditRecord(of: given, for: held.user)
        }
    }

    /// Nobody gets a reward. What it would have been given for once was that one time.
    package func refuse(_ id: HeldReward.ID, of scope: Scope) async throws {
        try await storage.write { _ = try $0.waiting(id, in: scope) }
    }
}

extension Transaction {
    /// One that waited until now.
    fileprivate func waiting(_ id: HeldReward.ID, in scope: Scope) throws -> HeldReward {
        guard let held = try heldReward(id, in: scope), try decide(id, in: scope) else { throw Failure.noSuchHeldReward(id) }
        return held
    }
}

extension Failure {
    fileprivate static func noSuchHeldReward(_ id: HeldReward.ID) -> Failure {
        .notFound("No reward \(id) of the app is held back.")
    }
}
