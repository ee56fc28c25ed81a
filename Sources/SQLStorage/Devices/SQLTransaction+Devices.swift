import Linden

extension SQLTransaction {
    package func device(_ id: Device.ID) throws -> Device? {
        try connection.first("SELECT \(raw: Device.columns) FROM devices WHERE id = \(id)", Device.init(row:))
    }

    package func device(hardwareID: String, in scope: Scope) throws -> Device? {
        try connection.first(
            """
            SELECT \(raw: Device.columns) FROM devices
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND hardware_id = \(hardwareID)
            ORDER BY id LIMIT 1
            """, Device.init(row:))
    }

    package func device(advertisingID: String, in scope: Scope) throws -> Device? {
        try connection.first(
            """
            SELECT \(raw: Device.columns) FROM devices
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND advertising_id = \(advertisingID)
            ORDER BY id LIMIT 1
            """, Device.init(row:))
    }

    package func device(of user: Identity.ID) throws -> Device? {
        try connection.first(
            """
            SELECT \(raw: Device.columns) FROM devices WHERE identity_id = \(user) AND is_browser = 0 ORDER BY id DESC LIMIT 1
            """, Device.init(row:))
    }

    package func insert(_ device: Device, at time: Timestamp) throws -> Bool {
        let reported = device.description
        return try connection.hasRows(
            """
            INSERT INTO devices (id, app_id, mode, identity_id, hardware_id, os, os_version, brand, model, app_version, sdk,
                country, language, is_browser, advertising_id, environment, browser, user_agent_id, installed_at, first_seen_at,
                last_seen_at, screen, site)
            VALUES (\(device.id), \(device.scope.app), \(device.scope.mode), \(device.identity), \(reported.hardwareID), \(reported.os),
                \(reported.osVersion), \(reported.brand), \(reported.model), \(reported.appVersion), \(reported.sdk), \(reported.country),
                \(reported.language), \(device.isBrowser), \(reported.advertisingID), \(reported.environment?.rawValue),
                \(reported.browser), \(try termID(.userAgent, reported.userAgent, from: TermSource(device))),
                \(device.installedAt), \(time), \(time), \(reported.screen?.text), \(device.site))
            ON CONFLICT (id) DO NOTHING RETURNING id
            """)
    }

    package func lastTouch(device: Device.ID?, identity: Identity.ID?) throws -> Click.ID? {
        let ofDevice = try connection.first("SELECT last_click_id FROM devices WHERE id = \(device)") { $0.optionalInteger(0) }
        let ofUser = try connection.first("SELECT last_click_id FROM identities WHERE id = \(identity)") { $0.optionalInteger(0) }
        return [ofDevice, ofUser].compactMap { $0.flatMap { $0 } }.max().map(Click.ID.init(rawValue:))
    }

    package func setLastTouch(_ click: Click.ID, device: Device.ID, identity: Identity.ID) throws {
        try connection.execute("UPDATE devices SET last_click_id = \(click) WHERE id = \(device)")
        try connection.execute("UPDATE identities SET last_click_id = \(click) WHERE id = \(identity)")
    }

    package func appleAttributionToken(of device: Device.ID) throws -> String? {
        try connection.first("SELECT apple_attribution_token FROM devices WHERE id = \(device)") { $0.optionalText(0) } ?? nil
    }

    package func setAppleAttributionToken(_ token: String, of device: Device.ID) throws {
        try connection.execute("UPDATE devices SET apple_attribution_token = \(token) WHERE id = \(device)")
    }

    package func assign(_ identity: Identity.ID, to device: Device.ID) throws {
        try connection.execute("UPDATE devices SET identity_id = \(identity) WHERE id = \(device)")
    }

    package func update(_ device: Device, at time: Timestamp) throws {
        let reported = device.description
        try connection.execute(
            """
            UPDATE devices SET identity_id = \(device.identity), hardware_id = COALESCE(\(reported.hardwareID), hardware_id),
                os = COALESCE(\(reported.os), os), os_version = COALESCE(\(reported.osVersion), os_version),
                brand = COALESCE(\(reported.brand), brand), model = COALESCE(\(reported.model), model),
                app_version = COALESCE(\(reported.appVersion), app_version), sdk = COALESCE(\(reported.sdk), sdk),
                country = COALESCE(\(reported.country), country), language = COALESCE(\(reported.language), language),
                advertising_id = COALESCE(\(reported.advertisingID), advertising_id),
                environment = COALESCE(\(reported.environment?.rawValue), environment),
                browser = COALESCE(\(reported.browser), browser),
                user_agent_id = COALESCE(\(try termID(.userAgent, reported.userAgent, from: TermSource(device))), user_agent_id),
                installed_at = COALESCE(installed_at, \(device.installedAt)), screen = COALESCE(\(reported.screen?.text), screen),
                last_seen_at = \(time)
            WHERE id = \(device.id)
            """)
    }
}

extension Device {
    fileprivate static let columns: StaticString = """
        id, app_id, mode, identity_id, hardware_id, os, os_version, brand, model, app_version, sdk, country, language, is_browser, \
        advertising_id, environment, browser, installed_at
        """

    fileprivate init(row: any SQLRow) {
        self.init(
            id: row.id(0), scope: row.scope(1), identity: row.id(3), isBrowser: row.bool(13),
            installedAt: row.optionalTime(17),
            description: DeviceDescription(
                hardwareID: row.optionalText(4), advertisingID: row.optionalText(14), os: row.optionalText(5),
                osVersion: row.optionalText(6),
                brand: row.optionalText(7), model: row.optionalText(8), appVersion: row.optionalText(9), sdk: row.optionalText(10),
                country: row.optionalText(11), language: row.optionalText(12),
                environment: row.optionalText(15).flatMap(AppEnvironment.init), browser: row.optionalText(16)))
    }
}
