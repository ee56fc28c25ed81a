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

    private func exportClicks(_ parts: ExportRow.Parts, of scope: Scope, after id: Int64, through last: Int64) throws -> [ExportRow]
    {
        var terms = ExportedTerms(connection)
        return try connection.query(
            """
            SELECT id, link_id, query, platform, os, os_version, maker, model_id, browser, country, user_agent_id, referrer_id, address,
                browser_id, in_app_browser
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
            click.device.model = try terms.text(row.optionalInteger(7))
            click.device.browser = row.optionalText(14) ?? row.optionalText(8)
            click.device.country = row.optionalText(9)
            guard parts.contains(.texts) || parts.contains(.body) else { return click }
            click.device.userAgent = try terms.text(row.optionalInteger(10))
            click.device.referrer = try terms.text(row.optionalInteger(11))
            click.device.address = row.optionalText(12)
            click.device.id = row.optionalID(13)
            return click
        }
    }

    private func exportSessions(
        _ kinds: Set<Session.Kind>, _ parts: ExportRow.Parts, of scope: Scope, after id: Int64, through last: Int64
    ) throws -> [ExportRow] {
        var terms = ExportedTerms(connection)
        return try connection.query(
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
            try session.setUser(row, from: 6, parts, &terms)
            if parts.contains(.body) || parts.contains(.touch) { session.body = row.text(4) }
            if parts.contains(.firstTouch) { session.firstTouch = row.optionalText(5) }
            return session
        }.compactMap { $0 }
    }

    /// - Parameter topic: nil for all.
    private func exportEvents(
        of topic: ExportTopic?, _ parts: ExportRow.Parts, in scope: Scope, after id: Int64, through last: Int64
    ) throws -> [ExportRow] {
        var terms = ExportedTerms(connection)
        let kinds = EventKind.allCases.filter { topic == nil || ExportTopic(Topic($0)) == topic }
        // The plus keeps SQLite from the index by name, of which it would read all of the app's for each page.
        return try connection.query(
            """
            SELECT events.id, name, touch_click_id, touch_link_id, body, first_session_data, session_id, clicks.query, revenue,
                revenue_text, currency, transaction_id, kind, \(raw: ExportedDevice.columns)
            FROM events
            LEFT JOIN devices ON devices.id = device_id
            LEFT JOIN identities ON identities.id = events.identity_id
            LEFT JOIN clicks ON clicks.id = touch_click_id
            WHERE events.id > \(id) AND events.id <= \(last) AND +events.app_id = \(scope.app)
                AND +events.mode = \(scope.mode) AND (\(bits(of: kinds)) >> kind) & 1 = 1
            ORDER BY events.id
            """
        ) { row in
            var event = ExportRow(
                id: row.integer(0), kind: .event(EventKind(rawValue: row.integer(12)) ?? .custom, name: row.text(1)))
            event.click = row.optionalID(2)
            event.link = row.optionalID(3)
            event.session = row.optionalID(6)
            event.query = row.optionalText(7)
            event.revenue = row.optionalInteger(8).map(Money.init(millionths:))
            event.revenueText = row.optionalText(9)
            event.currency = row.optionalText(10)
            event.transactionID = row.optionalText(11)
            try event.setUser(row, from: 13, parts, &terms)
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
