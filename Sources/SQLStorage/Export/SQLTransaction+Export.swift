import Linden

extension SQLTransaction {
    package func exportRows(
        of topic: ExportTopic, in scope: Scope, after id: Int64, through last: Int64, limit: Int
    ) throws -> (rows: [ExportRow], through: Int64) {
        switch topic.source {
        case .nothing: return ([], last)
        case .clicks:
            let end = try pageEnd(of: "clicks", after: id, limit: limit, or: last)
            return (try exportClicks(of: scope, after: id, through: end), end)
        case .sessions(let kinds):
            let end = try pageEnd(of: "sessions", after: id, limit: limit, or: last)
            return (try exportSessions(of: scope, kinds, after: id, through: end), end)
        case .events:
            let end = try pageEnd(of: "events", after: id, limit: limit, or: last)
            return (try exportEvents(of: scope, topic, after: id, through: end), end)
        }
    }

    /// The id of the last row of a page of a log; `last` if the page is not full.
    func pageEnd(of log: StaticString, after id: Int64, limit: Int, or last: Int64) throws -> Int64 {
        try connection.first(
            "SELECT id FROM \(raw: log) WHERE id > \(id) AND id <= \(last) ORDER BY id LIMIT 1 OFFSET \(limit - 1)"
        ) { $0.integer(0) } ?? last
    }

    private func exportClicks(of scope: Scope, after id: Int64, through last: Int64) throws -> [ExportRow] {
        try connection.query(
            """
            SELECT clicks.id, link_id, query, platform, os, os_version, maker, model.value, browser, country, agent.value,
                referrer.value, address
            FROM clicks
            LEFT JOIN terms AS agent ON agent.id = user_agent_id
            LEFT JOIN terms AS referrer ON referrer.id = referrer_id
            LEFT JOIN terms AS model ON model.id = model_id
            WHERE clicks.id > \(id) AND clicks.id <= \(last) AND app_id = \(scope.app) AND mode = \(scope.mode)
                AND robot IS NULL AND is_uncounted IS NULL
            ORDER BY clicks.id
            """
        ) { row in
            var device = ExportedDevice()
            device.os = row.optionalText(4)
            device.osVersion = row.optionalText(5)
            device.brand = row.optionalText(6)
            device.model = row.optionalText(7)
            device.browser = row.optionalText(8)
            device.country = row.optionalText(9)
            device.userAgent = row.optionalText(10)
            device.referrer = row.optionalText(11)
            device.address = row.optionalText(12)
            device.isBrowser = true
            return ExportRow(
                id: row.integer(0), kind: .click, click: row.id(0), link: row.id(1), query: row.optionalText(2), device: device)
        }
    }

    private func exportSessions(
        of scope: Scope, _ kinds: Set<Session.Kind>, after id: Int64, through last: Int64
    ) throws -> [ExportRow] {
        let kinds = kinds.map(\.rawValue)
        return try connection.query(
            """
            SELECT sessions.id, kind, link_id, click_id, data, developer_identity, \(raw: ExportedDevice.columns)
            FROM sessions
            LEFT JOIN devices ON devices.id = device_id
            LEFT JOIN identities ON identities.id = sessions.identity_id
            WHERE sessions.id > \(id) AND sessions.id <= \(last) AND sessions.app_id = \(scope.app) AND sessions.mode = \(scope.mode)
                AND kind IN (\(kinds.first ?? -1), \(kinds.last ?? -1))
            ORDER BY sessions.id
            """
        ) { row in
            ExportRow(
                id: row.integer(0), kind: .session(Session.Kind(rawValue: row.integer(1)) ?? .open), click: row.optionalID(3),
                link: row.optionalID(2), query: nil, device: ExportedDevice(row, from: 6), developerIdentity: row.optionalText(5),
                body: row.text(4))
        }
    }

    private func exportEvents(
        of scope: Scope, _ topic: ExportTopic, after id: Int64, through last: Int64
    ) throws -> [ExportRow] {
        try connection.query(
            """
            SELECT events.id, name, endpoint, touch_click_id, touch_link_id, clicks.query, body, developer_identity,
                \(raw: ExportedDevice.columns)
            FROM events
            LEFT JOIN devices ON devices.id = device_id
            LEFT JOIN identities ON identities.id = events.identity_id
            LEFT JOIN clicks ON clicks.id = touch_click_id
            WHERE events.id > \(id) AND events.id <= \(last) AND events.app_id = \(scope.app) AND events.mode = \(scope.mode)
            ORDER BY events.id
            """
        ) { row -> ExportRow? in
            let (name, endpoint) = (row.text(1), row.text(2))
            guard ExportTopic.topic(ofEvent: name, endpoint: endpoint) == topic else { return nil }
            return ExportRow(
                id: row.integer(0), kind: .event(name: name, endpoint: endpoint), click: row.optionalID(3), link: row.optionalID(4),
                query: row.optionalText(5), device: ExportedDevice(row, from: 8), developerIdentity: row.optionalText(7),
                body: row.text(6))
        }.compactMap { $0 }
    }
}

extension ExportedDevice {
    fileprivate static let columns: StaticString = """
        devices.os, devices.os_version, brand, model, devices.country, language, app_version, sdk, environment, hardware_id, \
        advertising_id, is_browser
        """

    fileprivate init(_ row: any SQLRow, from column: Int) {
        self.init()
        os = row.optionalText(column)
        osVersion = row.optionalText(column + 1)
        brand = row.optionalText(column + 2)
        model = row.optionalText(column + 3)
        country = row.optionalText(column + 4)
        language = row.optionalText(column + 5)
        appVersion = row.optionalText(column + 6)
        sdk = row.optionalText(column + 7)
        environment = row.optionalText(column + 8)
        hardwareID = row.optionalText(column + 9)
        advertisingID = row.optionalText(column + 10)
        isBrowser = row.truth(column + 11)
    }
}
