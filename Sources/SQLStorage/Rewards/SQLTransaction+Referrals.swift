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
            SELECT 1 FROM devices AS theirs JOIN devices AS this ON this.id = \(device)
            WHERE theirs.identity_id = \(user) AND theirs.is_browser = 0
                AND (theirs.id = this.id OR theirs.hardware_id = this.hardware_id OR theirs.advertising_id = this.advertising_id)
            LIMIT 1
            """)
    }

    package func wasAt(_ address: String, _ user: Identity.ID, in scope: Scope, since: Timestamp) throws -> Bool {
        try connection.hasRows(
            """
            SELECT 1 FROM devices JOIN device_addresses ON device_id = devices.id
            WHERE devices.identity_id = \(user) AND devices.is_browser = 0 AND device_addresses.app_id = \(scope.app)
                AND device_addresses.mode = \(scope.mode) AND address = \(address) AND seen_at >= \(since)
            LIMIT 1
            """)
    }
}
