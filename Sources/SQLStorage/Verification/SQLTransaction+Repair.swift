import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// What `linden verify --repair` reads and changes besides what the audits and the counting do.
extension SQLTransaction {
    package func linkDayDifferences(on day: Int64) throws -> [LinkDayDifference] {
        let clicks = try countedIDs(of: .clicks, on: day).map { try clickDayDifferences($0, day, limit: .max) }
        let sessions = try countedIDs(of: .sessions, on: day).map { try sessionDayDifferences($0, day, limit: .max) }
        return (clicks ?? []) + (sessions ?? [])
    }

    package func objectDayDifferences(on day: Int64) throws -> [ObjectDayDifference] {
        try countedIDs(of: .clicks, on: day).map { try objectDayDifferences($0, day, limit: .max) } ?? []
    }

    package func balanceDifferences() throws -> [BalanceDifference] {
        try connection.query(
            """
            SELECT id, balance, total FROM (
                SELECT id, balance,
                    (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM credit_entries WHERE account_id = credit_accounts.id)
                        AS total
                FROM credit_accounts WHERE identity_id IS NOT NULL) AS accounts
            WHERE balance <> total
            """
        ) { BalanceDifference(account: $0.integer(0), balance: $0.integer(1), sum: $0.integer(2)) }
    }

    package func pendingClicksWithoutClick() throws -> [Int64] {
        try connection.query(
            """
            SELECT DISTINCT click_id FROM pending_clicks
            WHERE click_id > \(try cursor(.pruned, .clicks)) AND NOT EXISTS (SELECT 1 FROM clicks WHERE clicks.id = click_id)
            """
        ) { $0.integer(0) }
    }

    package func rebuildIndexes() throws {
        try connection.execute(script: "REINDEX")
    }

    package func setBalance(_ balance: Int64, of account: Int64) throws {
        try connection.execute("UPDATE credit_accounts SET balance = \(balance) WHERE id = \(account)")
    }

    package func deletePendingClicks(of click: Int64) throws {
        // Without an index, since the key begins with the address: a repair is rare.
        try connection.execute("DELETE FROM pending_clicks WHERE click_id = \(click)")
    }

    package func removeDeviceCount(_ key: DeviceCount.Key) throws {
        try connection.execute(
            """
            DELETE FROM rollup_devices
            WHERE app_id = \(key.scope.app) AND mode = \(key.scope.mode) AND topic = \(key.topic.rawValue)
                AND dimension = \(key.dimension?.rawValue ?? "") AND all_names = \(key.name == nil) AND day = \(key.day)
                AND name = \(key.name ?? "") AND value = \(key.value)
            """)
    }
}
