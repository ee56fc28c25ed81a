import Linden

extension SQLTransaction {
    package func insertReferral(of user: Identity.ID, by referrer: Identity.ID, into session: Session.ID) throws {
        try connection.execute(
            """
            INSERT INTO referrals (session_id, identity_id, referring_identity_id) VALUES (\(session), \(user), \(referrer))
            """)
    }

    package func referrer(into session: Session.ID) throws -> Identity.ID? {
        try connection.first("SELECT referring_identity_id FROM referrals WHERE session_id = \(session)") { $0.id(0) }
    }

    package func lastReferral(of user: Identity.ID) throws -> (referrer: Identity.ID, session: Session.ID)? {
        try connection.first(
            "SELECT referring_identity_id, session_id FROM referrals WHERE identity_id = \(user) ORDER BY session_id DESC LIMIT 1"
        ) { (referrer: $0.id(0), session: $0.id(1)) }
    }

    package func wasUsed(_ device: Device.ID, by user: Identity.ID) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM sessions WHERE device_id = \(device) AND identity_id = \(user) LIMIT 1")
    }

    package func isSamePhone(_ device: Device.ID, asOneOf user: Identity.ID) throws -> Bool {
        try connection.hasRows(
            """
            SELECT 1 FROM (
                SELECT theirs.id FROM devices AS this JOIN devices AS theirs ON theirs.app_id = this.app_id
                    AND theirs.mode = this.mode AND theirs.hardware_id = this.hardware_id
                WHERE this.id = \(device) AND theirs.is_browser = 0
                UNION ALL
                SELECT theirs.id FROM devices AS this JOIN devices AS theirs ON theirs.app_id = this.app_id
                    AND theirs.mode = this.mode AND theirs.advertising_id = this.advertising_id
                WHERE this.id = \(device) AND theirs.is_browser = 0) AS same
            WHERE EXISTS (SELECT 1 FROM sessions WHERE device_id = same.id AND identity_id = \(user))
            LIMIT 1
            """)
    }

    package func wasAt(_ address: String, _ user: Identity.ID, in scope: Scope, since: Timestamp) throws -> Bool {
        try connection.hasRows(
            """
            SELECT 1 FROM device_addresses AS there
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND address = \(address) AND seen_at >= \(since)
                AND EXISTS (SELECT 1 FROM sessions WHERE sessions.device_id = there.device_id AND identity_id = \(user))
                AND EXISTS (SELECT 1 FROM devices WHERE devices.id = there.device_id AND is_browser = 0)
            LIMIT 1
            """)
    }
}
