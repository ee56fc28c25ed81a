import Linden
import LindenKernel
import LindenLedger

extension SQLTransaction {
    package func insertReferral(_ referral: RecordedReferral, of user: Identity.ID, on device: Device.ID) throws {
        let reasons: String? = referral.heldReasons.isEmpty ? nil : JSON(referral.heldReasons).text
        try connection.execute(
            """
            INSERT INTO referrals (session_id, identity_id, referring_identity_id, device_id, held_reasons)
            VALUES (\(referral.session), \(user), \(referral.referrer), \(device), \(reasons))
            """)
    }

    package func replaceReferral(into session: Session.ID) throws {
        try connection.execute("UPDATE referrals SET is_replaced = 1 WHERE session_id = \(session)")
    }

    package func moveReferral(into session: Session.ID, to user: Identity.ID) throws {
        try connection.execute("UPDATE referrals SET identity_id = \(user) WHERE session_id = \(session)")
    }

    package func deleteReferral(into session: Session.ID) throws {
        try connection.execute("DELETE FROM referrals WHERE session_id = \(session)")
    }

    package func referral(into session: Session.ID) throws -> RecordedReferral? {
        try connection.first(
            "SELECT \(raw: RecordedReferral.columns) FROM referrals WHERE session_id = \(session)", RecordedReferral.init(row:))
    }

    package func lastReferral(of user: Identity.ID, on device: Device.ID) throws -> RecordedReferral? {
        try connection.first(
            """
            SELECT \(raw: RecordedReferral.columns) FROM referrals
            WHERE identity_id = \(user) AND device_id = \(device) ORDER BY session_id DESC LIMIT 1
            """, RecordedReferral.init(row:))
    }

    package func wasUsed(_ device: Device.ID, by user: Identity.ID) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM sessions WHERE device_id = \(device) AND identity_id = \(user) LIMIT 1")
    }

    /// Searches two bounded sets: the identity's current devices, and the newest devices with the same ids, which it may have used before.
    package func isSamePhone(_ device: Device.ID, asOneOf user: Identity.ID) throws -> Bool {
        guard let this = try self.device(device) else { return false }
        let (hardwareID, advertisingID) = (this.description.hardwareID, this.description.advertisingID)
        return try connection.hasRows(
            """
            SELECT 1 FROM devices
            WHERE id IN (SELECT id FROM devices WHERE identity_id = \(user) AND is_browser = 0 ORDER BY id DESC LIMIT 100)
                AND (hardware_id = \(hardwareID) OR advertising_id = \(advertisingID))
            LIMIT 1
            """)
            || connection.hasRows(
                """
                SELECT 1 FROM sessions
                WHERE identity_id = \(user) AND device_id IN (
                    SELECT id FROM devices WHERE app_id = \(this.scope.app) AND mode = \(this.scope.mode)
                        AND hardware_id = \(hardwareID) AND is_browser = 0 ORDER BY hardware_since DESC, id DESC LIMIT 100)
                LIMIT 1
                """)
            || connection.hasRows(
                """
                SELECT 1 FROM sessions
                WHERE identity_id = \(user) AND device_id IN (
                    SELECT id FROM devices WHERE app_id = \(this.scope.app) AND mode = \(this.scope.mode)
                        AND advertising_id = \(advertisingID) AND is_browser = 0 ORDER BY advertising_since DESC, id DESC LIMIT 100)
                LIMIT 1
                """)
    }

    package func wasAt(_ address: String, _ device: Device.ID, in scope: Scope, since: Timestamp) throws -> Bool {
        try connection.hasRows(
            """
            SELECT 1 FROM device_addresses
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND address = \(address) AND device_id = \(device)
                AND seen_at >= \(since)
            LIMIT 1
            """)
    }

    /// Searches two bounded sets: the identity's current devices, and the newest devices at the address.
    package func wasAt(_ address: String, _ user: Identity.ID, in scope: Scope, since: Timestamp) throws -> Bool {
        try connection.hasRows(
            """
            SELECT 1 FROM device_addresses
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND address = \(address) AND seen_at >= \(since)
                AND device_id IN (
                    SELECT id FROM devices WHERE identity_id = \(user) AND is_browser = 0 ORDER BY id DESC LIMIT 100)
            LIMIT 1
            """)
            || connection.hasRows(
                """
                SELECT 1 FROM device_addresses AS there
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND address = \(address) AND seen_at >= \(since)
                    AND device_id IN (
                        SELECT device_id FROM device_addresses
                        WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND address = \(address)
                        ORDER BY device_id DESC LIMIT 100)
                    AND EXISTS (SELECT 1 FROM sessions WHERE sessions.device_id = there.device_id AND identity_id = \(user))
                    AND EXISTS (SELECT 1 FROM devices WHERE devices.id = there.device_id AND is_browser = 0)
                LIMIT 1
                """)
    }
}

extension RecordedReferral {
    fileprivate static let columns: StaticString = "referring_identity_id, session_id, held_reasons, is_replaced"

    fileprivate init(row: any SQLRow) throws {
        self.init(
            referrer: row.id(0), session: row.id(1), heldReasons: row.isNull(2) ? [] : try row.texts(2),
            isReplaced: row.bool(3))
    }
}
