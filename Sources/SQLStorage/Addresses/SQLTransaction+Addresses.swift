import Linden
import LindenKernel

extension SQLTransaction {
    /// Each limit bounds the rows read by index key; time and claims are filtered afterwards, so an address with thousands of rows costs no
    /// more than another. The browser of a click comes from the click log, one primary-key look-up per row.
    package func density(
        of addresses: [String], in scope: Scope, since: Timestamp, besides device: Device.ID?, limit: Int
    ) throws -> AddressDensity {
        let found = try addresses.filter { !$0.isEmpty }.map { address in
            (clicks: try clicks(from: address, in: scope, limit), devices: try devices(at: address, in: scope, limit))
        }
        let recent = found.flatMap(\.clicks).filter { $0.id.time >= since && !$0.isClaimed }
        return AddressDensity(
            pendingClicks: recent.count,
            // A click without a browser cookie counts as a browser of its own.
            browsers: Set(recent.map { $0.browser ?? $0.id.rawValue }).count,
            browserKinds: Set(recent.map(\.kind)).count,
            devices: Set(found.flatMap(\.devices).filter { $0.seenAt >= since && $0.id != device }.map(\.id)).count,
            reachesLimit: found.contains { $0.clicks.count == limit || $0.devices.count == limit })
    }

    /// Returns the pending clicks of an address: those in memory, newest first, then those in the table.
    private func clicks(from address: String, in scope: Scope, _ limit: Int) throws -> [AddressClick] {
        let keys = MatchKey.range(of: address, in: scope)
        let stored = try storedClicks(from: address, keys, in: scope, limit)
        let known = Set(stored.map(\.id))
        let new = try newPendingClicks(at: keys.lowerBound.address, key: nil, limit: limit).filter { !known.contains($0) }
            .compactMap { try click($0, from: address, in: scope) }
        return Array((new + stored).prefix(limit))
    }

    /// The number of clicks that are read one by one. PostgreSQL plans the join of a range of keys each time, which takes longer.
    private static let fewClicks = 4

    private func storedClicks(
        from address: String, _ keys: ClosedRange<MatchKey>, in scope: Scope, _ limit: Int
    ) throws -> [AddressClick] {
        let few = min(limit - 1, Self.fewClicks)
        let ids = try connection.query(
            Self.findClicks,
            { values in
                values.bind(keys.lowerBound.rawValue)
                values.bind(keys.upperBound.rawValue)
                values.bind(Int64(few + 1))
            }
        ) { $0.id(0) as Click.ID }
        if ids.count <= few { return try ids.compactMap { try click($0, from: address, in: scope) } }
        return try connection.query(
            """
            SELECT clicks.id, browser_id, clicks.os, clicks.os_version, browser, browser_version, in_app_browser, claimed_at
            FROM pending_clicks JOIN clicks ON clicks.id = pending_clicks.click_id
                LEFT JOIN click_claims ON click_claims.click_id = clicks.id
            WHERE match_key >= \(keys.lowerBound) AND match_key <= \(keys.upperBound) AND clicks.app_id = \(scope.app)
                AND clicks.mode = \(scope.mode) AND clicks.address = \(address) AND match_seconds IS NOT NULL
            LIMIT \(limit)
            """,
            AddressClick.init)
    }

    private static let findClicks = StaticSQL(
        "SELECT click_id FROM pending_clicks WHERE match_key >= $1 AND match_key <= $2 LIMIT $3")

    /// Reads a pending click from the log; nil unless it is from the address.
    private func click(_ id: Click.ID, from address: String, in scope: Scope) throws -> AddressClick? {
        try connection.first(
            Self.findClick,
            { values in
                values.bind(id)
                values.bind(scope)
                values.bind(address)
            }, AddressClick.init)
    }

    private static let findClick = StaticSQL(
        """
        SELECT id, browser_id, os, os_version, browser, browser_version, in_app_browser, claimed_at
        FROM clicks LEFT JOIN click_claims ON click_id = clicks.id
        WHERE id = $1 AND app_id = $2 AND mode = $3 AND address = $4 AND match_seconds IS NOT NULL
        """)

    private func devices(at address: String, in scope: Scope, _ limit: Int) throws -> [(id: Device.ID, seenAt: Timestamp)] {
        try connection.query(
            Self.findDevices,
            { values in
                values.bind(scope)
                values.bind(address)
                values.bind(Int64(limit))
            }
        ) { (id: $0.id(0), seenAt: $0.time(1)) }
    }

    private static let findDevices = StaticSQL(
        "SELECT device_id, seen_at FROM device_addresses WHERE app_id = $1 AND mode = $2 AND address = $3 LIMIT $4")

    package func devices(
        like traits: Evidence.Traits, at addresses: [String], in scope: Scope, since: Timestamp, besides device: Device.ID?,
        limit: Int
    ) throws -> Int {
        let found = try addresses.filter { !$0.isEmpty }.flatMap { address in
            try connection.query(
                """
                SELECT device_id, model FROM device_addresses
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND address = \(address) AND os = \(traits.os)
                    AND os_version = \(traits.osVersion) AND seen_at >= \(since)
                ORDER BY seen_at DESC LIMIT \(limit)
                """
            ) { (id: $0.id(0) as Device.ID, model: $0.optionalText(1)) }
        }
        let alike = found.filter { other in
            var kind = traits
            kind.model = other.model
            return other.id != device && kind.isSameKind(as: traits)
        }
        return Set(alike.map(\.id)).count
    }

    package func hasDeviceAddresses(before time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM device_addresses WHERE seen_at < \(time) LIMIT 1")
    }

    package func record(
        device: Device.ID, _ description: DeviceDescription, from address: String, in scope: Scope, time: Timestamp
    ) throws {
        guard !address.isEmpty else { return }
        try connection.execute(Self.insertDevice) { row in
            row.bind(scope)
            row.bind(address)
            row.bind(device)
            row.bind(time)
            row.bind(description.os)
            row.bind(description.osVersion)
            row.bind(description.model)
        }
    }

    private static let insertDevice = StaticSQL(
        insertInto: "device_addresses", "app_id, mode, address, device_id, seen_at, os, os_version, model",
        """
        ON CONFLICT (app_id, mode, address, device_id) DO UPDATE SET seen_at = excluded.seen_at, os = excluded.os,
            os_version = excluded.os_version, model = excluded.model
        """)

    package func deleteDeviceAddresses(before time: Timestamp, limit: Int) throws {
        try connection.execute(
            """
            DELETE FROM device_addresses WHERE seen_at <= (
                SELECT MAX(seen_at) FROM (
                    SELECT seen_at FROM device_addresses WHERE seen_at < \(time) ORDER BY seen_at LIMIT \(limit)) AS oldest)
            """)
    }
}

/// A pending click as its address's density counts it.
private struct AddressClick {
    let id: Click.ID
    let browser: Int64?
    /// The system and browser, with their versions.
    let kind: [String?]
    let isClaimed: Bool

    init(_ row: any SQLRow) {
        id = row.id(0)
        browser = row.optionalInteger(1)
        kind = (2...6).map { row.optionalText($0) }
        isClaimed = !row.isNull(7)
    }
}
