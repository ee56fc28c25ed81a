import Linden

extension SQLTransaction {
    package func rows(of table: PersonalTable, after id: Int64, limit: Int) throws -> [PersonalRow] {
        // Whose it is, its device, click, session and phone.
        let sql: SQL =
            switch table {
            case .devices:
                """
                SELECT id, app_id, mode, identity_id, id, last_click_id, NULL, NULL FROM devices
                WHERE id > \(id) ORDER BY id LIMIT \(limit)
                """
            case .sessions:
                """
                SELECT id, app_id, mode, identity_id, device_id, click_id, id, NULL FROM sessions
                WHERE id > \(id) ORDER BY id LIMIT \(limit)
                """
            case .events:
                """
                SELECT id, app_id, mode, identity_id, device_id, NULL, session_id, NULL FROM events
                WHERE id > \(id) ORDER BY id LIMIT \(limit)
                """
            case .clicks:
                """
                SELECT id, app_id, mode, NULL, browser_id, via_click, NULL, NULL FROM clicks
                WHERE id > \(id) ORDER BY id LIMIT \(limit)
                """
            case .links:
                """
                SELECT id, app_id, mode, identity_id, NULL, NULL, NULL, NULL FROM links
                WHERE id > \(id) ORDER BY id LIMIT \(limit)
                """
            case .textMessages:
                """
                SELECT id, app_id, mode, NULL, NULL, NULL, NULL, phone FROM text_messages
                WHERE id > \(id) ORDER BY id LIMIT \(limit)
                """
            }
        return try connection.query(sql) { row in
            PersonalRow(
                id: row.integer(0), scope: row.scope(1), identity: row.optionalID(3), device: row.optionalID(4),
                click: row.optionalID(5), session: row.optionalID(6), phone: row.optionalText(7).map(PhoneNumber.init(stored:)))
        }
    }

    package func requests(of scope: Scope, after key: String, limit: Int) throws -> [(key: String, row: Int64)] {
        try connection.query(
            """
            SELECT request_key, row_id FROM requests
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND request_key > \(key)
            ORDER BY request_key LIMIT \(limit)
            """
        ) { (key: $0.text(0), row: $0.integer(1)) }
    }

    package func browsers(beside device: Device.ID, in scope: Scope) throws -> [Browser.ID] {
        try connection.query(
            "SELECT browser_id FROM browsers WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND device_id = \(device)"
        ) { $0.id(0) }
    }

    package func addresses(of device: Device.ID, in scope: Scope) throws -> [String] {
        try connection.query(
            "SELECT address FROM device_addresses WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND device_id = \(device)"
        ) { $0.text(0) }
    }

    package func erase(_ table: PersonalTable, _ ids: [Int64]) throws {
        for id in ids {
            switch table {
            case .devices: try eraseDevice(id)
            case .sessions:
                try countBeforeDeletion(of: id)
                try connection.execute("DELETE FROM sessions WHERE id = \(id)")
            case .events: try eraseEvent(id)
            case .clicks: try eraseClick(id)
            case .links: try connection.execute("UPDATE links SET identity_id = NULL WHERE id = \(id)")
            case .textMessages: try connection.execute("DELETE FROM text_messages WHERE id = \(id)")
            }
        }
    }

    package func eraseRequests(_ keys: [String], in scope: Scope) throws {
        for key in keys {
            try connection.execute(
                "DELETE FROM requests WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND request_key = \(key)")
        }
    }

    package func erase(browsers: [Browser.ID], addresses: [String], of device: Device.ID, in scope: Scope) throws {
        for browser in browsers {
            try connection.execute(
                "DELETE FROM browsers WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND browser_id = \(browser)")
        }
        for address in addresses {
            try connection.execute(
                """
                DELETE FROM device_addresses
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND address = \(address) AND device_id = \(device)
                """)
        }
    }

    package func erase(_ identity: Identity.ID) throws {
        try connection.execute(
            """
            UPDATE sessions SET referring_identity_id = NULL
            WHERE id IN (SELECT id FROM sessions WHERE referring_identity_id = \(identity))
            """)
        try connection.execute("DELETE FROM identities WHERE id = \(identity)")
    }

    /// Also what was kept for the device's next session under the ids by which others know it.
    private func eraseDevice(_ id: Int64) throws {
        guard let device = try device(Device.ID(rawValue: id)) else { return }
        let (scope, told) = (device.scope, device.description)
        for key in Set([told.hardwareID, told.advertisingID, told.advertisingID?.lowercased()].compactMap { $0 }) {
            for table: StaticString in ["device_clicks", "strong_matches"] {
                try connection.execute(
                    """
                    DELETE FROM \(raw: table) WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND device_key = \(key)
                    """)
            }
        }
        try connection.execute("DELETE FROM devices WHERE id = \(id)")
    }

    /// The log keeps when which link was clicked on what kind of device, and that somebody was erased here.
    private func eraseClick(_ id: Int64) throws {
        try connection.execute(
            """
            DELETE FROM open_clicks WHERE (app_id, mode, address, os, os_version, click_id) = (
                SELECT app_id, mode, address, os, COALESCE(os_version, ''), id FROM clicks WHERE id = \(id))
            """)
        try connection.execute(
            """
            UPDATE clicks SET address = 'erased', os_version = NULL, model_id = NULL, browser_version = NULL, user_agent_id = NULL,
                referrer_id = NULL, query = NULL, browser_id = NULL, via_click = NULL
            WHERE id = \(id)
            """)
    }
}
