import Linden
import LindenKernel
import LindenLedger

extension SQLTransaction {
    package func rewardRules(of scope: Scope, after id: RewardRule.ID?, limit: Int) throws -> [RewardRule] {
        try connection.query(
            """
            SELECT \(raw: RewardRule.columns) FROM reward_rules
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND removed_at IS NULL AND id > \(id?.rawValue ?? 0)
            ORDER BY id LIMIT \(limit)
            """, RewardRule.init(row:))
    }

    package func rewardRules(for event: EventName, in scope: Scope) throws -> [RewardRule] {
        try known.rules(for: event.text, in: scope) {
            try connection.hasRows(
                "SELECT 1 FROM reward_rules WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND removed_at IS NULL LIMIT 1")
        } read: {
            try connection.query(
                """
                SELECT \(raw: RewardRule.columns) FROM reward_rules
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND event = \(event.text) AND removed_at IS NULL
                    AND paused_at IS NULL
                ORDER BY id
                """, RewardRule.init(row:))
        }
    }

    package func rewardRuleCounts(for event: EventName, in scope: Scope) throws -> (ofEvent: Int64, ofAll: Int64) {
        try connection.first(
            """
            SELECT COALESCE(SUM(CASE WHEN event = \(event.text) THEN 1 ELSE 0 END), 0), COUNT(*) FROM reward_rules
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND removed_at IS NULL
            """
        ) { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
    }

    package func rewardRule(_ id: RewardRule.ID) throws -> RewardRule? {
        try connection.first("SELECT \(raw: RewardRule.columns) FROM reward_rules WHERE id = \(id)", RewardRule.init(row:))
    }

    package func rewardRule(_ id: RewardRule.ID, in scope: Scope) throws -> RewardRule? {
        try connection.first(
            """
            SELECT \(raw: RewardRule.columns) FROM reward_rules
            WHERE id = \(id) AND app_id = \(scope.app) AND mode = \(scope.mode) AND removed_at IS NULL
            """, RewardRule.init(row:))
    }

    package func insert(_ rule: RewardRule) throws {
        known = KnownSettings()
        try connection.execute(
            """
            INSERT INTO reward_rules (id, app_id, mode, event, filter, recipient, first_only, amount, bucket, cap_per_day,
                cap_per_user, days_valid)
            VALUES (\(rule.id), \(rule.scope.app), \(rule.scope.mode), \(rule.event), \(JSON.object(rule.filter)),
                \(rule.recipient.rawValue), \(rule.isFirstOnly), \(rule.amount.value), \(rule.bucket.name), \(rule.caps.perDay),
                \(rule.caps.perUser), \(rule.daysValid))
            """)
    }

    package func set(_ rule: RewardRule.ID, in scope: Scope, isPaused: Bool) throws -> Bool {
        known = KnownSettings()
        return try connection.changesRows(
            """
            UPDATE reward_rules SET paused_at = \(isPaused ? now : nil)
            WHERE id = \(rule) AND app_id = \(scope.app) AND mode = \(scope.mode) AND removed_at IS NULL
            """)
    }

    package func removeRewardRule(_ id: RewardRule.ID, in scope: Scope) throws -> Bool {
        known = KnownSettings()
        return try connection.changesRows(
            """
            UPDATE reward_rules SET removed_at = \(now)
            WHERE id = \(id) AND app_id = \(scope.app) AND mode = \(scope.mode) AND removed_at IS NULL
            """)
    }

    // MARK: Caps

    /// The value of `day` that counts rewards of all time.
    private static let ever: Int64 = -1

    package func rewards(by rule: RewardRule.ID, to user: Identity.ID, on day: Int64?) throws -> Int64 {
        try connection.first(
            """
            SELECT rewards FROM reward_counts
            WHERE rule_id = \(rule) AND identity_id = \(user) AND day = \(day ?? Self.ever)
            """
        ) { $0.integer(0) } ?? 0
    }

    package func countReward(by rule: RewardRule.ID, to user: Identity.ID, on day: Int64?, cap: Int64) throws -> Bool {
        try connection.changesRows(
            """
            INSERT INTO reward_counts (rule_id, identity_id, day, rewards) VALUES (\(rule), \(user), \(day ?? Self.ever), 1)
            ON CONFLICT (rule_id, identity_id, day) DO UPDATE SET rewards = reward_counts.rewards + 1
            WHERE reward_counts.rewards < \(cap)
            """)
    }

    package func addRewardCounts(of user: Identity.ID, to other: Identity.ID) throws {
        try connection.execute(
            """
            INSERT INTO reward_counts (rule_id, identity_id, day, rewards)
            SELECT rule_id, \(other), day, rewards FROM reward_counts WHERE identity_id = \(user)
            ON CONFLICT (rule_id, identity_id, day) DO UPDATE SET rewards = reward_counts.rewards + excluded.rewards
            """)
    }
}

extension RewardRule {
    fileprivate static let columns: StaticString = """
        id, app_id, mode, event, filter, recipient, first_only, amount, bucket, cap_per_day, cap_per_user, days_valid, paused_at
        """

    fileprivate init(row: any SQLRow) throws {
        self.init(
            id: row.id(0), scope: row.scope(1), event: row.text(3), filter: try row.object(4),
            recipient: Recipient(rawValue: row.text(5)) ?? .actor, isFirstOnly: row.bool(6),
            amount: try CreditAmount(row.integer(7)), bucket: Bucket(known: row.text(8)),
            caps: RewardCaps(perDay: row.optionalInteger(9), perUser: row.optionalInteger(10)), daysValid: row.optionalInteger(11),
            isPaused: !row.isNull(12))
    }
}
