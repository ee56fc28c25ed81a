import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func activities(
        in log: ActivityLog, of scope: Scope?, from first: Int64, before end: Int64, named name: String?, isDetailed: Bool,
        _ visit: (AnalyticsRecord) throws -> Void
    ) throws {
        try readActivities(in: log, of: scope, from: first, before: end, named: name, isDetailed: isDetailed) {
            try visit($0)
            return true
        }
    }

    /// Variant of ``activities(in:of:from:before:named:isDetailed:_:)`` that ends once `visit` returns false.
    func readActivities(
        in log: ActivityLog, of scope: Scope?, from first: Int64, before end: Int64, named name: String?, isDetailed: Bool,
        while visit: (AnalyticsRecord) throws -> Bool
    ) throws {
        guard first < end else { return }
        let (columns, details, tables) = ActivityColumns.of(log, isDetailed: isDetailed)
        let sql: SQL =
            switch (log, scope, name) {
            case (.clicks, nil, _):
                """
                SELECT \(raw: columns)\(raw: details) FROM \(raw: tables)
                WHERE row.id >= \(first) AND row.id < \(end) \(raw: ActivityColumns.counted)
                ORDER BY row.id
                """
            case (.clicks, let scope?, _):
                """
                SELECT \(raw: columns)\(raw: details) FROM \(raw: tables)
                WHERE row.id >= \(first) AND row.id < \(end) AND row.app_id = \(scope.app) AND row.mode = \(scope.mode)
                    \(raw: ActivityColumns.counted)
                ORDER BY row.id
                """
            case (.sessions, nil, _), (.events, nil, _):
                """
                SELECT \(raw: columns)\(raw: details) FROM \(raw: tables)
                WHERE row.id >= \(first) AND row.id < \(end)
                ORDER BY row.id
                """
            case (.sessions, let scope?, _):
                """
                SELECT \(raw: columns)\(raw: details) FROM \(raw: tables)
                WHERE row.app_id = \(scope.app) AND row.mode = \(scope.mode) AND row.id >= \(first) AND row.id < \(end)
                ORDER BY row.id
                """
            case (.events, let scope?, nil):
                // The unary plus keeps SQLite from choosing the index by name, which would require a sort.
                """
                SELECT \(raw: columns)\(raw: details) FROM \(raw: tables)
                WHERE row.id >= \(first) AND row.id < \(end) AND +row.app_id = \(scope.app) AND +row.mode = \(scope.mode)
                ORDER BY row.id
                """
            case (.events, let scope?, let name?):
                """
                SELECT \(raw: columns)\(raw: details) FROM \(raw: tables)
                WHERE row.app_id = \(scope.app) AND row.mode = \(scope.mode) AND row.name = \(name)
                    AND row.id >= \(first) AND row.id < \(end)
                ORDER BY row.id
                """
            }
        try connection.read(sql) { row in
            guard let activity = try AnalyticsRecord(row, log, isDetailed: isDetailed) else { return true }
            return try visit(activity)
        }
    }
}

/// SELECT lists and joined tables of the three logs. The columns have the same positions in each. An id contains its row's time.
private enum ActivityColumns {
    static let counted: StaticString = "AND row.robot IS NULL AND row.is_uncounted IS NULL"

    static func of(
        _ log: ActivityLog, isDetailed: Bool
    ) -> (columns: StaticString, details: StaticString, tables: StaticString) {
        switch log {
        case .clicks: (clicks, isDetailed ? clickDetails : "", isDetailed ? clickDetailTables : clickTables)
        case .sessions: (sessions, isDetailed ? sessionDetails : "", isDetailed ? sessionDetailTables : sessionTables)
        case .events: (events, isDetailed ? eventDetails : "", isDetailed ? eventDetailTables : eventTables)
        }
    }

    private static let clicks: StaticString = """
        row.id, row.app_id, row.mode, row.link_id, row.platform, row.country, links.channel, links.campaign, links.feature,
            CASE WHEN row.link_id = 0 THEN row.link_labels END, row.browser_id, row.address, row.user_agent_id,
            links.updated_at, row.id, NULL, NULL, links.is_authenticated, row.site,
            row.os, COALESCE(row.in_app_browser, row.browser), row.language, host.value
        """
    private static let clickDetails: StaticString = """
        , 1, row.via_click, origin.platform, CASE WHEN row.action = 'deepview' THEN row.platform END, row.query, NULL, NULL
        """
    private static let clickTables: StaticString = """
        clicks AS row LEFT JOIN links ON links.id = row.link_id LEFT JOIN strings AS host ON host.id = row.referrer_host_id
        """
    private static let clickDetailTables: StaticString = """
        clicks AS row LEFT JOIN links ON links.id = row.link_id LEFT JOIN strings AS host ON host.id = row.referrer_host_id
            LEFT JOIN clicks AS origin ON origin.id = row.via_click
        """

    private static let sessions: StaticString = """
        row.id, row.app_id, row.mode, row.link_id,
            devices.os,
            devices.country, links.channel, links.campaign, links.feature,
            CASE WHEN row.link_id = 0 THEN (SELECT link_labels FROM clicks WHERE clicks.id = row.click_id) END,
            row.device_id, devices.last_seen_at, row.kind, links.updated_at,
            CASE devices.is_browser WHEN 1 THEN devices.last_seen_at WHEN 0 THEN 0 END,
            row.is_by_ad, NULL, links.is_authenticated, devices.site, devices.os, devices.browser, devices.language, NULL
        """
    private static let sessionDetails: StaticString = """
        , devices.is_browser, touch.via_click, origin.platform,
            CASE WHEN touch.action = 'deepview' THEN touch.platform END, touch.query, host.value,
            CASE WHEN row.link_id IS NULL THEN row.data END
        """
    private static let sessionTables: StaticString = """
        sessions AS row LEFT JOIN devices ON devices.id = row.device_id LEFT JOIN links ON links.id = row.link_id
        """
    private static let sessionDetailTables: StaticString = """
        sessions AS row LEFT JOIN devices ON devices.id = row.device_id LEFT JOIN links ON links.id = row.link_id
            LEFT JOIN clicks AS touch ON touch.id = row.click_id AND row.link_id IS NOT NULL
            LEFT JOIN clicks AS origin ON origin.id = touch.via_click LEFT JOIN strings AS host ON host.id = touch.referrer_host_id
        """

    private static let events: StaticString = """
        row.id, row.app_id, row.mode, row.touch_link_id,
            devices.os,
            devices.country, links.channel, links.campaign, links.feature,
            CASE WHEN row.touch_link_id = 0 THEN (SELECT link_labels FROM clicks WHERE clicks.id = row.touch_click_id) END,
            COALESCE(row.device_id, row.identity_id), devices.last_seen_at, row.kind, links.updated_at,
            CASE devices.is_browser WHEN 1 THEN devices.last_seen_at WHEN 0 THEN 0 END,
            row.name, row.revenue, links.is_authenticated, devices.site, devices.os, devices.browser, devices.language, NULL
        """
    private static let eventDetails: StaticString = """
        , devices.is_browser, touch.via_click, origin.platform,
            CASE WHEN touch.action = 'deepview' THEN touch.platform END, touch.query, host.value,
            CASE WHEN devices.os IS NULL THEN row.body END
        """
    private static let eventTables: StaticString = """
        events AS row LEFT JOIN devices ON devices.id = row.device_id LEFT JOIN links ON links.id = row.touch_link_id
        """
    private static let eventDetailTables: StaticString = """
        events AS row LEFT JOIN devices ON devices.id = row.device_id LEFT JOIN links ON links.id = row.touch_link_id
            LEFT JOIN clicks AS touch ON touch.id = row.touch_click_id LEFT JOIN clicks AS origin ON origin.id = touch.via_click
            LEFT JOIN strings AS host ON host.id = touch.referrer_host_id
        """
}

extension AnalyticsRecord {
    /// Decodes a row of one of the logs. Nil for a session that does not count as an open.
    fileprivate init?(_ row: any SQLRow, _ log: ActivityLog, isDetailed: Bool) throws {
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
        let longLinkLabels = row.optionalText(9)
        let time = IDGenerator.time(of: id)
        var staleDimensions: Set<Dimension> = []
        if link == .long ? longLinkLabels == nil : row.optionalTime(13).map({ $0 > time }) ?? false {
            staleDimensions = [.channel, .campaign, .feature]
        }
        if log != .clicks {
            // A browser's OS is that of its last session: on a phone it may request pages as a desktop browser. An app's device keeps its
            // own.
            if row.optionalTime(14).map({ $0 > time }) ?? true { staleDimensions.insert(.platform) }
            if row.optionalTime(11).map({ $0 > time }) ?? true { staleDimensions.insert(.country) }
        }
        let isByAd = log == .sessions && row.bool(15)
        self.init(
            id: id, scope: row.scope(1), topic: topic, name: log == .events ? row.text(15) : "", link: link,
            platform: log == .clicks ? row.text(4) : row.isNull(14) ? "" : Self.platform(os: row.optionalText(4)),
            country: row.optionalText(5) ?? "",
            labels: try longLinkLabels.map(ActivityLabels.init(stored:))
                ?? ActivityLabels(channel: row.optionalText(6), campaign: row.optionalText(7), feature: row.optionalText(8)),
            visitor: ActivityVisitor(
                os: row.optionalText(19), browser: row.optionalText(20), language: row.optionalText(21),
                referrer: row.optionalText(22)),
            actor: actor, revenue: log == .events ? row.optionalInteger(16) ?? 0 : 0, staleDimensions: staleDimensions,
            isByAd: isByAd,
            source: Self.source(of: log == .clicks ? row.text(11) : row.optionalInteger(10).map { String($0) } ?? ""),
            site: row.optionalInteger(18), isOfAuthenticatedLink: row.bool(17),
            details: isDetailed ? ActivityDetails(row) : nil)
    }

    /// Returns the platform under which a device with this OS is counted.
    static func platform(os: String?) -> String {
        switch os {
        case "iOS": "ios"
        case "Android": "android"
        default: "desktop"
        }
    }

    /// The number of a browser without a cookie: FNV-1a over the address and the user agent's number, negative, thus distinct from ids.
    private static func actor(address: String, userAgent: Int64) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in (address + " " + String(userAgent)).utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int64(bitPattern: hash | 1 << 63)
    }
}

extension ActivityDetails {
    /// Decodes the columns that follow those common to all rows.
    fileprivate init(_ row: any SQLRow) {
        self.init(
            isBrowser: row.bool(23),
            // Without a recorded origin (a text message, a click that was pruned) the platform is unknown; both start from a desktop page.
            isFromDesktop: !row.isNull(24) && row.optionalText(25) ?? "desktop" == "desktop",
            deepview: row.optionalText(26), query: row.optionalText(27), referrer: row.optionalText(28),
            report: row.optionalText(29))
    }
}
