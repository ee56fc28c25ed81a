import Linden

extension SQLTransaction {
    package func exportRows(
        of topic: ExportTopic, _ parts: ExportRow.Parts, in scope: Scope, after id: Int64, through last: Int64, limit: Int
    ) throws -> (rows: [ExportRow], through: Int64) {
        let end = try exportPageEnd(of: topic, after: id, through: last, limit: limit)
        switch topic.source {
        case .nothing: return ([], end)
        case .clicks: return (try exportClicks(parts, of: scope, after: id, through: end), end)
        case .sessions(let kinds): return (try exportSessions(kinds, parts, of: scope, after: id, through: end), end)
        case .events: return (try exportEvents(of: topic, parts, in: scope, after: id, through: end), end)
        case .activity:
            let sessions = try exportSessions(Session.Kind.openings, parts, of: scope, after: id, through: end)
            let events = try exportEvents(of: nil, parts, in: scope, after: id, through: end)
            return ((sessions + events).sorted { $0.id < $1.id }, end)
        case .links: return (try exportLinks(of: scope, after: id, through: end), end)
        }
    }

    package func exportPageEnd(of topic: ExportTopic, after id: Int64, through last: Int64, limit: Int) throws -> Int64 {
        switch topic.source {
        case .nothing: last
        case .clicks: try pageEnd(of: "clicks", after: id, limit: limit, or: last)
        case .sessions: try pageEnd(of: "sessions", after: id, limit: limit, or: last)
        case .events: try pageEnd(of: "events", after: id, limit: limit, or: last)
        case .activity:
            min(
                try pageEnd(of: "sessions", after: id, limit: limit, or: last),
                try pageEnd(of: "events", after: id, limit: limit, or: last))
        case .links: try pageEnd(of: "links", after: id, limit: limit, or: last)
        }
    }

    /// The id of the last row of a page of a log; `last` if the page is not full.
    func pageEnd(of log: StaticString, after id: Int64, limit: Int, or last: Int64) throws -> Int64 {
        try connection.first(
            "SELECT id FROM \(raw: log) WHERE id > \(id) AND id <= \(last) ORDER BY id LIMIT 1 OFFSET \(limit - 1)"
        ) { $0.integer(0) } ?? last
    }

    private func exportClicks(_ parts: ExportRow.Parts, of scope: Scope, after id: Int64, through last: Int64) throws -> [ExportRow]
    {
        // Few texts are shared by many clicks: each is looked up once.
        var texts: [Int64: String] = [:]
        func text(_ id: Int64?) throws -> String? {
            guard let id else { return nil }
            if let text = texts[id] { return text }
            let text = try connection.first("SELECT value FROM terms WHERE id = \(id)") { $0.text(0) }
            texts[id] = text
            return text
        }
        return try connection.query(
            """
            SELECT id, link_id, query, platform, os, os_version, maker, model_id, browser, country, user_agent_id, referrer_id, address,
                browser_id
            FROM clicks
            WHERE id > \(id) AND id <= \(last) AND app_id = \(scope.app) AND mode = \(scope.mode)
                AND robot IS NULL AND is_uncounted IS NULL
            ORDER BY id
            """
        ) { row in
            var click = ExportRow(id: row.integer(0), kind: .click)
            click.click = row.id(0)
            click.link = row.id(1)
            click.query = row.optionalText(2)
            click.device.isBrowser = true
            click.device.os = row.optionalText(4)
            click.device.osVersion = row.optionalText(5)
            click.device.brand = row.optionalText(6)
            click.device.model = try text(row.optionalInteger(7))
            click.device.browser = row.optionalText(8)
            click.device.country = row.optionalText(9)
            guard parts.contains(.texts) || parts.contains(.body) else { return click }
            click.device.userAgent = try text(row.optionalInteger(10))
            click.device.referrer = try text(row.optionalInteger(11))
            click.device.address = row.optionalText(12)
            click.device.id = row.optionalID(13)
            return click
        }
    }

    private func exportSessions(
        _ kinds: Set<Session.Kind>, _ parts: ExportRow.Parts, of scope: Scope, after id: Int64, through last: Int64
    ) throws -> [ExportRow] {
        try connection.query(
            """
            SELECT sessions.id, kind, link_id, click_id, data, first_session_data, \(raw: ExportedDevice.columns)
            FROM sessions
            LEFT JOIN devices ON devices.id = device_id
            LEFT JOIN identities ON identities.id = sessions.identity_id
            WHERE sessions.id > \(id) AND sessions.id <= \(last) AND sessions.app_id = \(scope.app) AND sessions.mode = \(scope.mode)
                AND (\(bits(of: kinds)) >> kind) & 1 = 1
            ORDER BY sessions.id
            """
        ) { row -> ExportRow? in
            guard let kind = Session.Kind(rawValue: row.integer(1)) else { return nil }
            var session = ExportRow(id: row.integer(0), kind: .session(kind))
            session.link = row.optionalID(2)
            session.click = row.optionalID(3)
            session.session = row.id(0)
            session.setUser(row, from: 6)
            if parts.contains(.body) || parts.contains(.touch) { session.body = row.text(4) }
            if parts.contains(.firstTouch) { session.firstTouch = row.optionalText(5) }
            return session
        }.compactMap { $0 }
    }

    /// - Parameter topic: nil for all.
    private func exportEvents(
        of topic: ExportTopic?, _ parts: ExportRow.Parts, in scope: Scope, after id: Int64, through last: Int64
    ) throws -> [ExportRow] {
        let kinds = EventKind.allCases.filter { topic == nil || ExportTopic(Topic($0)) == topic }
        // The plus keeps SQLite from the index by name, of which it would read all of the app's for each page.
        return try connection.query(
            """
            SELECT events.id, name, touch_click_id, touch_link_id, body, first_session_data, session_id, clicks.query, revenue,
                revenue_text, currency, transaction_id, \(raw: ExportedDevice.columns)
            FROM events
            LEFT JOIN devices ON devices.id = device_id
            LEFT JOIN identities ON identities.id = events.identity_id
            LEFT JOIN clicks ON clicks.id = touch_click_id
            WHERE events.id > \(id) AND events.id <= \(last) AND +events.app_id = \(scope.app)
                AND +events.mode = \(scope.mode) AND (\(bits(of: kinds)) >> kind) & 1 = 1
            ORDER BY events.id
            """
        ) { row in
            var event = ExportRow(id: row.integer(0), kind: .event(name: row.text(1)))
            event.click = row.optionalID(2)
            event.link = row.optionalID(3)
            event.session = row.optionalID(6)
            event.query = row.optionalText(7)
            event.revenue = row.optionalInteger(8).map(Money.init(millionths:))
            event.revenueText = row.optionalText(9)
            event.currency = row.optionalText(10)
            event.transactionID = row.optionalText(11)
            event.setUser(row, from: 12)
            if event.device.needsReport(for: parts) { event.body = row.text(4) }
            if parts.contains(.firstTouch) { event.firstTouch = row.optionalText(5) }
            return event
        }
    }

    /// A number with a bit for each of several kinds. What is of no wanted kind is left before anything is looked up for it.
    private func bits<Kind: RawRepresentable<Int64>>(of kinds: some Sequence<Kind>) -> Int64 {
        kinds.reduce(0) { $0 | 1 << $1.rawValue }
    }

    private func exportLinks(of scope: Scope, after id: Int64, through last: Int64) throws -> [ExportRow] {
        try connection.query(
            """
            SELECT id FROM links
            WHERE id > \(id) AND id <= \(last) AND app_id = \(scope.app) AND mode = \(scope.mode) AND deleted_at IS NULL
            ORDER BY id
            """
        ) { row in
            var link = ExportRow(id: row.integer(0), kind: .link)
            link.link = row.id(0)
            return link
        }
    }
}

extension ExportedDevice {
    /// Whether what is asked for may have to be told by what was reported: a column's cell is the same whichever others are asked for.
    fileprivate func needsReport(for parts: ExportRow.Parts) -> Bool {
        parts.contains(.body) || os == nil
            || parts.contains(.model) && (brand == nil || model == nil)
            || parts.contains(.deviceIDs) && (hardwareID == nil || advertisingID == nil)
    }

    fileprivate static let columns: StaticString = """
        devices.os, devices.os_version, brand, model, devices.country, language, app_version, sdk, environment, hardware_id, \
        advertising_id, is_browser, devices.id, identities.id, developer_identity
        """
}

extension ExportRow {
    /// - Parameter column: where ``ExportedDevice/columns`` begin.
    fileprivate mutating func setUser(_ row: any SQLRow, from column: Int) {
        device.os = row.optionalText(column)
        device.osVersion = row.optionalText(column + 1)
        device.brand = row.optionalText(column + 2)
        device.model = row.optionalText(column + 3)
        device.country = row.optionalText(column + 4)
        device.language = row.optionalText(column + 5)
        device.appVersion = row.optionalText(column + 6)
        device.sdk = row.optionalText(column + 7)
        device.environment = row.optionalText(column + 8)
        device.hardwareID = row.optionalText(column + 9)
        device.advertisingID = row.optionalText(column + 10)
        device.isBrowser = row.truth(column + 11)
        device.id = row.optionalID(column + 12)
        identity = row.optionalID(column + 13)
        developerIdentity = row.optionalText(column + 14)
    }
}
