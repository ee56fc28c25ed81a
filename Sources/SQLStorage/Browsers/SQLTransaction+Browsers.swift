import Linden
import LindenKernel

extension SQLTransaction {
    package func hasApp(_ browser: Browser.ID, in scope: Scope) throws -> Bool {
        if try app(beside: browser, in: scope) != nil { return true }
        guard let device = try device(browser), device.scope == scope, try firstDevice(of: device.identity) == browser else {
            return false
        }
        return try connection.hasRows("SELECT 1 FROM devices WHERE identity_id = \(device.identity) AND is_browser = 0 LIMIT 1")
    }

    package func app(beside browser: Browser.ID, in scope: Scope) throws -> (device: Device.ID, isGuessed: Bool)? {
        try connection.first(
            """
            SELECT device_id, is_guessed FROM browsers
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND browser_id = \(browser)
            """
        ) { (device: $0.id(0), isGuessed: $0.integer(1) != 0) }
    }

    package func join(_ browser: Browser.ID, to device: Device.ID, isGuessed: Bool, in scope: Scope) throws {
        try connection.execute(
            """
            INSERT INTO browsers (app_id, mode, browser_id, device_id, is_guessed)
            VALUES (\(scope.app), \(scope.mode), \(browser), \(device), \(isGuessed ? 1 : 0))
            ON CONFLICT (app_id, mode, browser_id) DO UPDATE SET device_id = excluded.device_id, is_guessed = excluded.is_guessed
            WHERE browsers.is_guessed >= excluded.is_guessed
            """)
    }

    package func strongMatch(
        _ deviceKeys: [String], from addresses: [String], in scope: Scope, at time: Timestamp
    ) throws -> StrongMatch? {
        for (key, address) in deviceKeys.flatMap({ key in addresses.map { (key, $0) } }) {
            let match = try connection.first(
                Self.findMatch,
                { values in
                    values.bind(scope)
                    values.bind(key)
                    values.bind(address)
                    values.bind(time)
                }
            ) { StrongMatch(browser: $0.id(0), click: $0.optionalID(1)) }
            if let match { return match }
        }
        return nil
    }

    private static let findMatch = StaticSQL(
        """
        SELECT browser_id, click_id FROM strong_matches
        WHERE app_id = $1 AND mode = $2 AND device_key = $3 AND address = $4 AND expires_at > $5
        """)

    package func insert(
        _ match: StrongMatch, for deviceKey: String, from address: String, in scope: Scope, expiresAt: Timestamp
    ) throws {
        try connection.execute(
            """
            INSERT INTO strong_matches (app_id, mode, device_key, address, browser_id, click_id, expires_at)
            VALUES (\(scope.app), \(scope.mode), \(deviceKey), \(address), \(match.browser), \(match.click), \(expiresAt))
            ON CONFLICT (app_id, mode, device_key, address) DO UPDATE
            SET browser_id = excluded.browser_id, click_id = excluded.click_id, expires_at = excluded.expires_at
            """)
    }

    package func deleteStrongMatches(_ deviceKeys: [String], from addresses: [String], in scope: Scope) throws {
        for (key, address) in deviceKeys.flatMap({ key in addresses.map { (key, $0) } }) {
            try connection.execute(
                """
                DELETE FROM strong_matches
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND device_key = \(key) AND address = \(address)
                """)
        }
    }

    package func hasExpiredStrongMatches(at time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM strong_matches WHERE expires_at <= \(time) LIMIT 1")
    }

    package func deleteExpiredStrongMatches(at time: Timestamp, limit: Int) throws {
        try connection.execute(
            """
            DELETE FROM strong_matches WHERE expires_at <= (
                SELECT MAX(expires_at) FROM (
                    SELECT expires_at FROM strong_matches WHERE expires_at <= \(time) ORDER BY expires_at LIMIT \(limit)) AS oldest)
            """)
    }
}
