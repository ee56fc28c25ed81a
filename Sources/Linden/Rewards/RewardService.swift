/// Keeps the rules by which users earn credits. What they are applied to is in ``Transaction/reward(_:)``.
package struct RewardService: Sendable {
    private let storage: any Storage

    package init(storage: any Storage) {
        self.storage = storage
    }

    package func add(_ new: NewRewardRule, to scope: Scope, requestKey: RequestKey? = nil) async throws -> RewardRule {
        try new.check()
        return try await storage.write { transaction in
            let id = try transaction.once(requestKey, in: scope, earlier: { $0 }) {
                let rule = RewardRule(id: try transaction.newID(), scope: scope, new)
                try transaction.insert(rule)
                // The bucket is known from now on, though nobody has anything in it.
                _ = try transaction.openCreditAccount(of: .app(.issued), rule.bucket, in: scope)
                return (rule.id, rule.id)
            }
            return RewardRule(id: id, scope: scope, new)
        }
    }

    package func list(_ scope: Scope) async throws -> [RewardRule] {
        try await storage.read { try $0.rewardRules(of: scope) }
    }

    package func set(_ id: RewardRule.ID, of scope: Scope, isPaused: Bool) async throws {
        try await storage.write { transaction in
            guard try transaction.set(id, in: scope, isPaused: isPaused) else { throw Failure.noSuchRule(id) }
        }
    }

    package func remove(_ id: RewardRule.ID, from scope: Scope) async throws {
        try await storage.write { transaction in
            guard try transaction.removeRewardRule(id, in: scope) else { throw Failure.noSuchRule(id) }
        }
    }
}

extension RewardRule {
    fileprivate init(id: ID, scope: Scope, _ new: NewRewardRule) {
        self.init(
            id: id, scope: scope, event: new.event, filter: new.filter, recipient: new.recipient, isFirstOnly: new.isFirstOnly,
            amount: new.amount, bucket: new.bucket, caps: new.caps, daysValid: new.daysValid, isPaused: false)
    }
}

extension Failure {
    fileprivate static func noSuchRule(_ id: RewardRule.ID) -> Failure { .notFound("The app has no reward rule \(id).") }
}
