import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func exportRows(
        of topic: ExportTopic, _ projection: ExportRow.Projection, in scope: Scope, after id: Int64, through last: Int64,
        limit: ExportPageLimit
    ) throws -> (rows: [ExportRow], through: Int64) {
        let end = try exportPageEnd(of: [topic], after: id, through: last, limit: limit.rows)
        var page = ExportPage(limit)
        switch topic.source {
        case .nothing: break
        case .clicks: try exportClicks(projection, of: scope, after: id, through: end, into: &page)
        case .sessions(let kinds): try exportSessions(kinds, projection, of: scope, after: id, through: end, into: &page)
        case .events: try exportEvents(of: topic, projection, in: scope, after: id, through: end, into: &page)
        case .activity:
            try exportSessions(Session.Kind.openings, projection, of: scope, after: id, through: end, into: &page)
            var events = ExportPage(limit)
            try exportEvents(of: nil, projection, in: scope, after: id, through: page.reach(or: end), into: &events)
            let reach = events.reach(or: page.reach(or: end))
            return ((page.rows.filter { $0.id <= reach } + events.rows).sorted { $0.id < $1.id }, reach)
        case .links: try exportLinks(of: scope, after: id, through: end, into: &page)
        }
        return (page.rows, page.reach(or: end))
    }

    private func exportClicks(
        _ projection: ExportRow.Projection, of scope: Scope, after id: Int64, through last: Int64, into page: inout ExportPage
    ) throws {
        var strings = ExportedStrings(connection)
        try connection.read(
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
            click.device.model = try strings.text(row.optionalInteger(7))
            click.device.browser = row.optionalText(14) ?? row.optionalText(8)
            click.device.country = row.optionalText(9)
            guard projection.contains(.texts) || projection.contains(.body) else { return page.append(click) }
            click.device.userAgent = try strings.text(row.optionalInteger(10))
            click.device.referrer = try strings.text(row.optionalInteger(11))
            click.device.address = row.optionalText(12)
            click.device.id = row.optionalID(13)
            return page.append(click)
        }
    }

    private func exportSessions(
        _ kinds: Set<Session.Kind>, _ projection: ExportRow.Projection, of scope: Scope, after id: Int64, through last: Int64,
        into page: inout ExportPage
    ) throws {
        var strings = ExportedStrings(connection)
        try connection.read(
            """
            SELECT sessions.id, kind, link_id, click_id, data, first_session_data, is_by_ad, \(raw: ExportedDevice.columns)
            FROM sessions
            LEFT JOIN devices ON devices.id = device_id
            LEFT JOIN identities ON identities.id = sessions.identity_id
            WHERE sessions.id > \(id) AND sessions.id <= \(last) AND sessions.app_id = \(scope.app) AND sessions.mode = \(scope.mode)
                AND (CAST(\(bits(of: kinds)) AS BIGINT) >> kind) & 1 = 1
            ORDER BY sessions.id
            """
        ) { row in
            guard let kind = Session.Kind(rawValue: row.integer(1)) else { return true }
            var session = ExportRow(id: row.integer(0), kind: .session(kind))
            session.link = row.optionalID(2)
            session.click = row.optionalID(3)
            session.isByAd = row.bool(6)
            session.session = row.id(0)
            try session.setUser(row, from: 7, projection, &strings)
            if projection.contains(.body) || projection.contains(.touch) { session.body = row.text(4) }
            if projection.contains(.firstTouch) { session.firstTouch = row.optionalText(5) }
            return page.append(session)
        }
    }

    /// - Parameter topic: nil for events of all topics.
    private func exportEvents(
        of topic: ExportTopic?, _ projection: ExportRow.Projection, in scope: Scope, after id: Int64, through last: Int64,
        into page: inout ExportPage
    ) throws {
        var strings = ExportedStrings(connection)
        let kinds = EventKind.allCases.filter { topic == nil || ExportTopic(Topic($0)) == topic }
        // The unary plus keeps SQLite from choosing the index by name, of which each page would read all of the app's rows.
        try connection.read(
            """
            SELECT events.id, name, touch_click_id, touch_link_id, body, first_session_data, session_id, clicks.query, revenue,
                revenue_text, currency, transaction_id, kind, \(raw: ExportedDevice.columns)
            FROM events
            LEFT JOIN devices ON devices.id = device_id
            LEFT JOIN identities ON identities.id = events.identity_id
            LEFT JOIN clicks ON clicks.id = touch_click_id
            WHERE events.id > \(id) AND events.id <= \(last) AND +events.app_id = \(scope.app)
                AND +events.mode = \(scope.mode) AND (CAST(\(bits(of: kinds)) AS BIGINT) >> kind) & 1 = 1
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
            try event.setUser(row, from: 13, projection, &strings)
            if event.device.needsReport(for: projection) { event.body = row.text(4) }
            if projection.contains(.firstTouch) { event.firstTouch = row.optionalText(5) }
            return page.append(event)
        }
    }

    /// A bit set of kinds, so that rows of other kinds are skipped before their joins are looked up.
    private func bits<Kind: RawRepresentable<Int64>>(of kinds: some Sequence<Kind>) -> Int64 {
        kinds.reduce(0) { $0 | 1 << $1.rawValue }
    }

    private func exportLinks(of scope: Scope, after id: Int64, through last: Int64, into page: inout ExportPage) throws {
        try connection.read(
            """
            SELECT id FROM links
            WHERE id > \(id) AND id <= \(last) AND app_id = \(scope.app) AND mode = \(scope.mode) AND deleted_at IS NULL
            ORDER BY id
            """
        ) { row in
            var link = ExportRow(id: row.integer(0), kind: .link)
            link.link = row.id(0)
            return page.append(link)
        }
    }
}
