import Linden

extension SQLTransaction {
    package func activities(
        in log: ActivityLog, of scope: Scope?, from first: Int64, before end: Int64, named name: String?,
        _ visit: (Activity) throws -> Void
    ) throws {
        guard first < end else { return }
        let sql: SQL =
            switch (log, scope, name) {
            case (.clicks, nil, _):
                "SELECT \(raw: ActivityColumns.clicks) WHERE row.id >= \(first) AND row.id < \(end) \(raw: ActivityColumns.counted) ORDER BY row.id"
            case (.clicks, let scope?, _):
                """
                SELECT \(raw: ActivityColumns.clicks)
                WHERE row.id >= \(first) AND row.id < \(end) AND row.app_id = \(scope.app) AND row.mode = \(scope.mode)
                    \(raw: ActivityColumns.counted)
                ORDER BY row.id
                """
            case (.sessions, nil, _):
                "SELECT \(raw: ActivityColumns.sessions) WHERE row.id >= \(first) AND row.id < \(end) ORDER BY row.id"
            case (.sessions, let scope?, _):
                """
                SELECT \(raw: ActivityColumns.sessions)
                WHERE row.app_id = \(scope.app) AND row.mode = \(scope.mode) AND row.id >= \(first) AND row.id < \(end)
                ORDER BY row.id
                """
            case (.events, nil, _):
                "SELECT \(raw: ActivityColumns.events) WHERE row.id >= \(first) AND row.id < \(end) ORDER BY row.id"
            case (.events, let scope?, nil):
                // The plus keeps SQLite from the index by name, which it would have to sort.
                """
                SELECT \(raw: ActivityColumns.events)
                WHERE row.id >= \(first) AND row.id < \(end) AND +row.app_id = \(scope.app) AND +row.mode = \(scope.mode)
                ORDER BY row.id
                """
            case (.events, let scope?, let name?):
                """
                SELECT \(raw: ActivityColumns.events)
                WHERE row.app_id = \(scope.app) AND row.mode = \(scope.mode) AND row.name = \(name)
                    AND row.id >= \(first) AND row.id < \(end)
                ORDER BY row.id
                """
            }
        _ = try connection.query(sql) { row in try Activity(row, log).map(visit) }
    }

    package func firstActivity(in log: ActivityLog) throws -> Int64? {
        let sql: SQL =
            switch log {
            case .clicks: "SELECT id FROM clicks WHERE id > 0 ORDER BY id LIMIT 1"
            case .sessions: "SELECT id FROM sessions WHERE id > 0 ORDER BY id LIMIT 1"
            case .events: "SELECT id FROM events WHERE id > 0 ORDER BY id LIMIT 1"
            }
        return try connection.first(sql) { $0.integer(0) }
    }
}

/// The same columns of each log: what a row is counted by. Times in ids are milliseconds since the epoch of ids.
private enum ActivityColumns {
    static let counted: StaticString = "AND row.robot IS NULL AND row.is_uncounted IS NULL"

    static let clicks: StaticString = """
        row.id, row.app_id, row.mode, row.link_id, row.platform, row.country, links.channel, links.campaign, links.feature,
            CASE WHEN row.link_id = 0 THEN row.query END, row.browser_id, row.address, row.user_agent_id,
            links.updated_at, row.id
        FROM clicks AS row LEFT JOIN links ON links.id = row.link_id
        """

    static let sessions: StaticString = """
        row.id, row.app_id, row.mode, row.link_id,
            devices.os,
            devices.country, links.channel, links.campaign, links.feature,
            CASE WHEN row.link_id = 0 THEN (SELECT query FROM clicks WHERE clicks.id = row.click_id) END,
            row.device_id, devices.last_seen_at, row.kind, links.updated_at, devices.id
        FROM sessions AS row LEFT JOIN devices ON devices.id = row.device_id LEFT JOIN links ON links.id = row.link_id
        """

    static let events: StaticString = """
        row.id, row.app_id, row.mode, row.touch_link_id,
            devices.os,
            devices.country, links.channel, links.campaign, links.feature,
            CASE WHEN row.touch_link_id = 0 THEN (SELECT query FROM clicks WHERE clicks.id = row.touch_click_id) END,
            COALESCE(row.device_id, row.identity_id), devices.last_seen_at, row.kind, links.updated_at, devices.id,
            row.name, row.revenue
        FROM events AS row LEFT JOIN devices ON devices.id = row.device_id LEFT JOIN links ON links.id = row.touch_link_id
        """
}

extension Activity {
    /// Nil for a session that is no opening.
    fileprivate init?(_ row: any SQLRow, _ log: ActivityLog) throws {
        let id = row.integer(0)
        let link: Link.ID? = row.optionalID(3)
        let topic: Topic
        var actor = row.optionalInteger(10)
        switch log {
        case .clicks:
            topic = .click
            if actor == nil { actor = Self.actor(address: row.text(11), userAgent: row.optionalInteger(12) ?? 0) }
        case .sessions:
            guard let kind = Session.Kind(rawValue: row.integer(12)), let counted = Topic(kind) else { return nil }
            topic = counted
        case .events: topic = Topic(EventKind(rawValue: row.integer(12)) ?? .custom)
        }
        let query = row.optionalText(9)
        let time = IDGenerator.time(of: id)
        var unsure: Set<Dimension> = []
        if link == .long ? query == nil : row.optionalTime(13).map({ $0 > time }) ?? false {
            unsure = [.channel, .campaign, .feature]
        }
        if log != .clicks {
            if row.isNull(14) { unsure.insert(.platform) }
            if row.optionalTime(11).map({ $0 > time }) ?? true { unsure.insert(.country) }
        }
        self.init(
            id: id, scope: row.scope(1), topic: topic, name: log == .events ? row.text(15) : "", link: link,
            platform: log == .clicks ? row.text(4) : row.isNull(14) ? "" : Self.platform(os: row.optionalText(4)),
            country: row.optionalText(5) ?? "",
            labels: query.map { ActivityLabels(longLink: $0) }
                ?? ActivityLabels(channel: row.optionalText(6), campaign: row.optionalText(7), feature: row.optionalText(8)),
            actor: actor, revenue: log == .events ? row.optionalInteger(16) ?? 0 : 0, unsure: unsure)
    }
    /// What a device with this system is counted under.
    static func platform(os: String?) -> String {
        switch os {
        case "iOS": "ios"
        case "Android": "android"
        default: "desktop"
        }
    }

    /// A browser without a cookie: a number below those of ids (FNV-1a over the address and the user agent's number).
    private static func actor(address: String, userAgent: Int64) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (address + " " + String(userAgent)).utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int64(bitPattern: hash | 1 << 63)
    }
}
