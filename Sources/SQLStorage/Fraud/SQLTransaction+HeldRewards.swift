import Linden
import LindenKernel
import LindenLedger

extension SQLTransaction {
    // MARK: Fraud signals

    /// Counts new devices, up to `limit`. Device ids increase with time, so new devices are a range of ids.
    package func newDevices(at address: String, in scope: Scope, since: Timestamp, limit: Int64) throws -> Int64 {
        let counted = try connection.query(
            """
            SELECT 1 FROM device_addresses
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND address = \(address)
                AND device_id >= \(IDGenerator.first(at: since)) LIMIT \(limit)
            """
        ) { _ in }.count
        return Int64(counted)
    }

    package func newDevices(model: String, in scope: Scope, since: Timestamp, limit: Int64) throws -> Int64 {
        let counted = try connection.query(
            """
            SELECT 1 FROM devices
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND model = \(model)
                AND id >= \(IDGenerator.first(at: since)) LIMIT \(limit)
            """
        ) { _ in }.count
        return Int64(counted)
    }

    package func fraudSignals(of device: Device.ID) throws -> [String] {
        try connection.first("SELECT signals FROM fraud_signals WHERE device_id = \(device)") { try $0.texts(0) } ?? []
    }

    package func setFraudSignals(_ signals: [String], of device: Device.ID) throws {
        try connection.execute(
            """
            INSERT INTO fraud_signals (device_id, signals) VALUES (\(device), \(JSON(signals)))
            ON CONFLICT (device_id) DO UPDATE SET signals = excluded.signals
            """)
    }

    // MARK: Held rewards

    package func lastHeldReward(of scope: Scope, after id: HeldReward.ID?, count: Int) throws -> HeldReward.ID? {
        try connection.first(
            """
            SELECT MAX(id) FROM (
                SELECT id FROM held_rewards
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND decided_at IS NULL AND id > \(id?.rawValue ?? 0)
                ORDER BY id LIMIT \(Int64(count))
            ) AS waiting
            """
        ) { $0.optionalID(0) } ?? nil
    }

    package func heldRewards(
        of scope: Scope, _ filter: HeldRewardFilter, after id: HeldReward.ID?, through last: HeldReward.ID, limit: Int
    ) throws -> [HeldReward] {
        let rules = filter.rule.map { $0.rawValue...$0.rawValue } ?? 0...Int64.max
        let (anyAddress, anyNetwork) = (filter.addresses == nil ? Int64(1) : 0, filter.networks == nil ? Int64(1) : 0)
        // No stored address or network is empty; the empty one keeps the list from being empty.
        let addresses = (filter.addresses ?? []) + [""], networks = (filter.networks ?? []) + [""]
        return try connection.query(
            """
            SELECT \(raw: HeldReward.columns) FROM held_rewards
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND decided_at IS NULL
                AND id > \(id?.rawValue ?? 0) AND id <= \(last)
                AND rule_id >= \(rules.lowerBound) AND rule_id <= \(rules.upperBound)
                AND (1 = \(anyAddress) OR address IN \(list: addresses))
                AND (1 = \(anyNetwork) OR network IN \(list: networks))
            ORDER BY id LIMIT \(Int64(limit))
            """, HeldReward.init(row:))
    }

    package func heldRewardCount(of scope: Scope) throws -> Int {
        try connection.first(
            "SELECT COUNT(*) FROM held_rewards WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND decided_at IS NULL"
        ) { Int($0.integer(0)) } ?? 0
    }

    package func droppedRewards(of scope: Scope?, since day: Int64) throws -> [DroppedRewards] {
        let sql: SQL =
            if let scope {
                """
                SELECT app_id, mode, day, dropped FROM held_reward_days
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND day >= \(day) AND dropped > 0 ORDER BY day
                """
            } else {
                """
                SELECT app_id, mode, day, dropped FROM held_reward_days WHERE day >= \(day) AND dropped > 0
                ORDER BY app_id, mode, day
                """
            }
        return try connection.query(sql) { DroppedRewards(scope: $0.scope(0), day: $0.integer(2), dropped: $0.integer(3)) }
    }

    package func heldRewards(from source: RewardOrigin.Source, in scope: Scope, on day: Int64) throws -> Int64 {
        let sql: SQL =
            if source == .anywhere {
                """
                SELECT held FROM held_reward_days
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND day = \(day)
                """
            } else {
                """
                SELECT held FROM reward_sources
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND source = \(source.text) AND day = \(day)
                """
            }
        return try connection.first(sql) { $0.integer(0) } ?? 0
    }

    package func countHeldReward(
        from source: RewardOrigin.Source, in scope: Scope, on day: Int64, limit: Int64
    ) throws -> Bool {
        // The totals of days are kept; the counters of sources are deleted with those of their rewards.
        let sql: SQL =
            if source == .anywhere {
                """
                INSERT INTO held_reward_days (app_id, mode, day, held, dropped)
                VALUES (\(scope.app), \(scope.mode), \(day), 1, 0)
                ON CONFLICT (app_id, mode, day) DO UPDATE SET held = held_reward_days.held + 1
                WHERE held_reward_days.held < \(limit)
                """
            } else {
                """
                INSERT INTO reward_sources (app_id, mode, source, day, rewards, held)
                VALUES (\(scope.app), \(scope.mode), \(source.text), \(day), 0, 1)
                ON CONFLICT (app_id, mode, source, day) DO UPDATE SET held = reward_sources.held + 1
                WHERE reward_sources.held < \(limit)
                """
            }
        return try connection.changesRows(sql)
    }

    package func countDroppedReward(in scope: Scope, on day: Int64) throws {
        try connection.execute(
            """
            INSERT INTO held_reward_days (app_id, mode, day, held, dropped)
            VALUES (\(scope.app), \(scope.mode), \(day), 0, 1)
            ON CONFLICT (app_id, mode, day) DO UPDATE SET dropped = held_reward_days.dropped + 1
            """)
    }

    package func heldReward(_ id: HeldReward.ID, in scope: Scope) throws -> HeldReward? {
        try connection.first(
            """
            SELECT \(raw: HeldReward.columns) FROM held_rewards
            WHERE id = \(id) AND app_id = \(scope.app) AND mode = \(scope.mode) AND decided_at IS NULL
            """, HeldReward.init(row:))
    }

    package func insert(_ held: HeldReward) throws {
        let (referrer, referree) = held.cause.parties
        try connection.execute(
            """
            INSERT INTO held_rewards (id, app_id, mode, rule_id, identity_id, session_id, event_id, event_name, referrer_id,
                referree_id, reasons, address, network, metadata, first_id)
            VALUES (\(held.id), \(held.scope.app), \(held.scope.mode), \(held.rule), \(held.user), \(held.cause.session),
                \(held.cause.event), \(held.cause.eventName), \(referrer), \(referree),
                \(JSON(held.reasons)), \(held.address), \(held.network), \(held.cause.metadata.map(JSON.object)),
                \(held.first))
            """)
    }

    package func heldRewards(beginningWith id: HeldReward.ID, in scope: Scope) throws -> [HeldReward] {
        let first = try connection.query(
            "SELECT \(raw: HeldReward.columns) FROM held_rewards WHERE id = \(id) AND app_id = \(scope.app) AND mode = \(scope.mode)",
            HeldReward.init(row:))
        guard !first.isEmpty else { return [] }
        return try first
            + connection.query("SELECT \(raw: HeldReward.columns) FROM held_rewards WHERE first_id = \(id)", HeldReward.init(row:))
    }

    package func decide(_ id: HeldReward.ID, in scope: Scope, isGranted: Bool) throws -> Bool {
        try connection.changesRows(
            """
            UPDATE held_rewards SET decided_at = \(now), is_granted = \(isGranted ? 1 : 0)
            WHERE id = \(id) AND app_id = \(scope.app) AND mode = \(scope.mode) AND decided_at IS NULL
            """)
    }
}

extension HeldReward {
    fileprivate static let columns: StaticString = """
        id, app_id, mode, rule_id, identity_id, session_id, event_id, event_name, referrer_id, referree_id, reasons, address,
            network, metadata, is_granted
        """

    fileprivate init(row: any SQLRow) throws {
        var cause = CreditCause(.rule)
        cause.rule = row.optionalID(3)
        cause.session = row.optionalID(5)
        cause.event = row.optionalID(6)
        cause.eventName = row.optionalText(7)
        cause.metadata = row.isNull(13) ? nil : try row.object(13)
        cause.counterparty = row.optionalID(8).map(Counterparty.referrer) ?? row.optionalID(9).map(Counterparty.referree)
        self.init(
            id: row.id(0), user: row.id(4), scope: row.scope(1), rule: row.id(3), cause: cause,
            reasons: try row.texts(10), address: row.optionalText(11), network: row.optionalText(12),
            isGranted: row.integer(14) != 0)
    }
}

extension SQLRow {
    /// Decodes a JSON array of strings.
    func texts(_ column: Int) throws -> [String] {
        (try JSON.parse(text(column)).array ?? []).compactMap(\.string)
    }
}
