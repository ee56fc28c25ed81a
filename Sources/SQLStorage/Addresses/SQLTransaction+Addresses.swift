import Linden

extension SQLTransaction {
    /// The limits stand on the rows by their key alone, so that an address with thousands of them costs no more than another. What a click
    /// tells of its browser is in the log, one look-up by id each.
    package func crowd(of address: String, in scope: Scope, since: Timestamp, limit: Int) throws -> Crowd {
        guard !address.isEmpty else { return Crowd() }
        let clicks = try connection.query(
            """
            SELECT click_id, browser_id, clicks.os, clicks.os_version, browser, browser_version, in_app_browser,
                claimed_at
            FROM open_clicks JOIN clicks ON clicks.id = click_id
            WHERE open_clicks.app_id = \(scope.app) AND open_clicks.mode = \(scope.mode) AND open_clicks.address = \(address)
            LIMIT \(limit)
            """
        ) { row in
            (
                id: row.id(0) as Click.ID, browser: row.optionalInteger(1), kind: (2...6).map { row.optionalText($0) },
                isClaimed: !row.isNull(7)
            )
        }
        let devices = try connection.query(
            """
            SELECT seen_at FROM device_addresses
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND address = \(address) LIMIT \(limit)
            """
        ) { $0.time(0) }
        let recent = clicks.filter { $0.id.time >= since && !$0.isClaimed }
        return Crowd(
            openClicks: recent.count,
            // A browser without a cookie is one of its own.
            browsers: Set(recent.map { $0.browser ?? $0.id.rawValue }).count,
            browserKinds: Set(recent.map(\.kind)).count,
            devices: devices.count { $0 >= since },
            reachesLimit: clicks.count == limit || devices.count == limit)
    }

    package func hasDeviceAddresses(before time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM device_addresses WHERE seen_at < \(time) LIMIT 1")
    }

    package func note(device: Device.ID, from address: String, in scope: Scope, time: Timestamp) throws {
        guard !address.isEmpty else { return }
        try connection.execute(
            """
            INSERT INTO device_addresses (app_id, mode, address, device_id, seen_at)
            VALUES (\(scope.app), \(scope.mode), \(address), \(device), \(time))
            ON CONFLICT (app_id, mode, address, device_id) DO UPDATE SET seen_at = excluded.seen_at
            """)
    }

    package func deleteDeviceAddresses(before time: Timestamp, limit: Int) throws {
        try connection.execute(
            """
            DELETE FROM device_addresses WHERE seen_at <= (
                SELECT MAX(seen_at) FROM (
                    SELECT seen_at FROM device_addresses WHERE seen_at < \(time) ORDER BY seen_at LIMIT \(limit)) AS oldest)
            """)
    }
}
