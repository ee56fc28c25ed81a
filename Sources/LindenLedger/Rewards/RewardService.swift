import Linden
import LindenKernel

/// Manages the rules by which identities earn credits. ``Rewarding`` applies them.
package struct RewardService: Sendable {
    private let storage: any LedgerStorage
    private let turns: AnswerTurns<App.ID>

    package init(storage: any LedgerStorage, turns: AnswerTurns<App.ID>) {
        self.storage = storage
        self.turns = turns
    }

    /// Creates a rule. A retry returns the rule that the first call created, in its current state.
    package func add(_ new: NewRewardRule, to scope: Scope, _ call: CreditCall) async throws -> RewardRule {
        try new.check()
        return try await storage.write { transaction in
            let id: RewardRule.ID = try call.idempotently(by: nil, asked: new.asked, in: scope, transaction) { claims in
                let rule = RewardRule(id: try transaction.newID(), scope: scope, new)
                let counts = try transaction.rewardRuleCounts(for: EventName(new.event), in: scope)
                guard counts.ofEvent < RewardRule.mostOfEvent, counts.ofAll < RewardRule.mostOfScope else {
                    throw Failure.tooManyRules
                }
                try transaction.insert(rule)
                // Opening the app's account makes the bucket known before the first reward.
                _ = try transaction.openCreditAccount(of: .app(.issued), rule.bucket, in: scope)
                try Ledger(transaction: transaction).take(claims, for: Identifier(rawValue: rule.id.rawValue), in: scope)
                return rule.id
            }
            guard let rule = try transaction.rewardRule(id) else { throw Failure.noSuchRule(id) }
            return rule
        }
    }

    /// Returns a warning about a rule whose event was never recorded; nil if there is no reason for one.
    package func warning(about rule: RewardRule) async throws -> String? {
        guard ![RewardedAction.install, RewardedAction.open].contains(rule.event) else { return nil }
        // All names of the app's events are compared.
        return try await turns.run(of: rule.scope.app) {
            try await storage.read { try $0.warnings(aboutEvents: [EventName(rule.event)], in: rule.scope).first }
        }
    }

    /// Returns a page of a scope's rules, oldest first.
    ///
    /// - Parameter id: the last rule of the page before; nil for the first page.
    /// - Returns: the rules, and the last one of them if there are more.
    package func list(
        _ scope: Scope, after id: RewardRule.ID? = nil, limit: Int
    ) async throws -> (rules: [RewardRule], next: RewardRule.ID?) {
        let found = try await turns.read(upTo: limit, of: scope.app) {
            try await storage.read { try $0.rewardRules(of: scope, after: id, limit: limit + 1) }
        }
        let page = Array(found.prefix(limit))
        return (page, found.count > limit ? page.last?.id : nil)
    }

    /// Returns a rule of a scope. Fails with `notFound`.
    package func rule(_ id: RewardRule.ID, of scope: Scope) async throws -> RewardRule {
        guard let rule = try await storage.read({ try $0.rewardRule(id, in: scope) }) else { throw Failure.noSuchRule(id) }
        return rule
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

extension NewRewardRule {
    fileprivate var asked: RequestFingerprint {
        RequestFingerprint(
            "rule",
            [
                "event": .string(event), "filter": .object(filter), "recipient": .string(recipient.rawValue),
                "first_only": .bool(isFirstOnly), "amount": .integer(amount.value), "bucket": .string(bucket.name),
                "cap_per_day": caps.perDay.map(JSON.integer) ?? .null, "cap_per_user": caps.perUser.map(JSON.integer) ?? .null,
                "days_valid": daysValid.map(JSON.integer) ?? .null,
            ])
    }
}

extension RewardRule {
    fileprivate init(id: ID, scope: Scope, _ new: NewRewardRule) {
        self.init(
            id: id, scope: scope, event: EventName(new.event).text, filter: new.filter, recipient: new.recipient,
            isFirstOnly: new.isFirstOnly,
            amount: new.amount, bucket: new.bucket, caps: new.caps, daysValid: new.daysValid, isPaused: false)
    }
}

extension Failure {
    fileprivate static let tooManyRules = Failure.invalid(
        """
        There may be \(RewardRule.mostOfEvent) reward rules for an event and \(RewardRule.mostOfScope) in all. Remove some that \
        are not used.
        """)
    fileprivate static func noSuchRule(_ id: RewardRule.ID) -> Failure { .notFound("The app has no reward rule \(id).") }
}
