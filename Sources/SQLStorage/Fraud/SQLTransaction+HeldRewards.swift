import Linden

extension SQLTransaction {
    // MARK: Suspicions

    /// Device ids are made in the order of time, so that new devices are a range of them.
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

    package func suspicions(against device: Device.ID) throws -> [String] {
        try connection.first("SELECT reasons FROM suspicions WHERE device_id = \(device)") { try $0.texts(0) } ?? []
    }

    package func setSuspicions(_ reasons: [String], against device: Device.ID) throws {
        try connection.execute(
            """
            INSERT INTO suspicions (device_id, reasons) VALUES (\(device), \(JSON(reasons)))
            ON CONFLICT (device_id) DO UPDATE SET reasons = excluded.reasons
            """)
    }

    // MARK: Held rewards

    package func heldRewards(of scope: Scope, limit: Int) throws -> [HeldReward] {
        try connection.query(
            """
            SELECT \(raw: HeldReward.columns) FROM held_rewards
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND decided_at IS NULL ORDER BY id LIMIT \(limit)
            """, HeldReward.init(row:))
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
                referree_id, reasons)
            VALUES (\(held.id), \(held.scope.app), \(held.scope.mode), \(held.rule), \(held.user), \(held.cause.session),
                \(held.cause.event), \(held.cause.eventName), \(referrer), \(referree),
                \(JSON(held.reasons)))
            """)
    }

    package func decide(_ id: HeldReward.ID, in scope: Scope) throws -> Bool {
        try connection.hasRows(
            """
            UPDATE held_rewards SET decided_at = \(now)
            WHERE id = \(id) AND app_id = \(scope.app) AND mode = \(scope.mode) AND decided_at IS NULL RETURNING id
            """)
    }
}

extension HeldReward {
    fileprivate static let columns: StaticString = """
        id, app_id, mode, rule_id, identity_id, session_id, event_id, event_name, referrer_id, referree_id, reasons
        """

    fileprivate init(row: any SQLRow) throws {
        var cause = CreditCause(.rule)
        cause.rule = row.optionalID(3)
        cause.session = row.optionalID(5)
        cause.event = row.optionalID(6)
        cause.eventName = row.optionalText(7)
        cause.party = row.optionalID(8).map(OtherParty.referrer) ?? row.optionalID(9).map(OtherParty.referree)
        self.init(
            id: row.id(0), user: row.id(4), scope: row.scope(1), rule: row.id(3), cause: cause,
            reasons: try row.texts(10))
    }
}

extension SQLRow {
    /// A JSON array of texts.
    fileprivate func texts(_ column: Int) throws -> [String] {
        (try JSON.parse(text(column)).array ?? []).compactMap(\.string)
    }
}
