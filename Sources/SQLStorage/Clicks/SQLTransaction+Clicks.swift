import Linden
import LindenKernel
import LindenServices
import LinkRouting

extension SQLTransaction {
    package func click(_ id: Click.ID) throws -> Click? {
        try connection.first(Self.findClick, { $0.bind(id) }, Click.init)
    }

    private static let findClick = StaticSQL(
        """
        SELECT clicks.id, link_id, app_id, mode, platform, os, os_version, device, maker, model.value, browser, browser_version,
            in_app_browser, country, robot, address, agent.value, referrer.value, host.value, query, action, reason,
            browser_id, via_click, address_class, is_uncounted, site, language, match_seconds, appended_hash,
            link_windows
        FROM clicks
        LEFT JOIN strings AS agent ON agent.id = user_agent_id
        LEFT JOIN strings AS referrer ON referrer.id = referrer_id
        LEFT JOIN strings AS host ON host.id = referrer_host_id
        LEFT JOIN strings AS model ON model.id = model_id
        WHERE clicks.id = $1
        """)

    package func clicks(of link: Link.ID, after id: Int64, through last: Int64, limit: Int) throws -> (
        clicks: [Click], rows: Int, through: Int64
    ) {
        let end = try pageEnd(of: "clicks", after: id, limit: limit, or: last)
        let rows = try connection.first("SELECT COUNT(*) FROM clicks WHERE id > \(id) AND id <= \(end)") { Int($0.integer(0)) }
        let found = try connection.query(
            "SELECT id FROM clicks WHERE id > \(id) AND id <= \(end) AND link_id = \(link) ORDER BY id"
        ) { Click.ID(rawValue: $0.integer(0)) }
        return (try found.compactMap(click), rows ?? 0, end)
    }

    package func clicks(
        of scope: Scope, link: Link.ID?, by visitor: ClickVisitor?, in ids: Range<Int64>, among rows: Int, limit: Int
    ) throws -> (clicks: [Click], first: Int64?) {
        let isRobot = visitor.map { $0 == .robot }
        let first = try connection.first(
            """
            SELECT id FROM clicks WHERE id >= \(ids.lowerBound) AND id < \(ids.upperBound)
            ORDER BY id DESC LIMIT 1 OFFSET \(rows - 1)
            """
        ) { $0.integer(0) }
        let found = try connection.query(
            """
            SELECT id FROM clicks
            WHERE id >= \(first ?? ids.lowerBound) AND id < \(ids.upperBound) AND app_id = \(scope.app) AND mode = \(scope.mode)
                AND (CAST(\(link) AS BIGINT) IS NULL OR link_id = \(link))
                AND (CAST(\(isRobot) AS BIGINT) IS NULL OR CASE WHEN robot IS NULL THEN 0 ELSE 1 END = \(isRobot))
            ORDER BY id DESC LIMIT \(limit)
            """
        ) { Click.ID(rawValue: $0.integer(0)) }
        return (try found.compactMap(click), first)
    }

    package func click(namingDevice key: String, in scope: Scope) throws -> Click.ID? {
        try connection.first(
            Self.findNamingClick,
            { values in
                values.bind(scope)
                values.bind(key)
            }
        ) { $0.id(0) }
    }

    private static let findNamingClick = StaticSQL(
        """
        SELECT click_id FROM device_clicks
        WHERE app_id = $1 AND mode = $2 AND device_key = $3 AND claimed_at IS NULL
        ORDER BY click_id DESC LIMIT 1
        """)

    package func claim(_ click: Click.ID, namingDevice key: String, in scope: Scope) throws -> Bool {
        try connection.changesRows(
            """
            UPDATE device_clicks SET claimed_at = \(now)
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND device_key = \(key) AND click_id = \(click)
                AND claimed_at IS NULL
            """)
    }

    package func insert(_ click: Click.ID, namingDevice key: String, in scope: Scope, expiresAt: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO device_clicks (app_id, mode, device_key, click_id, expires_at)
            VALUES (\(scope.app), \(scope.mode), \(key), \(click), \(expiresAt))
            """)
    }

    package func hasExpiredDeviceClicks(at time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM device_clicks WHERE expires_at <= \(time) LIMIT 1")
    }

    /// By their number: a visit's query chooses when its row expires, and so may millions of visits choose the same time.
    package func deleteExpiredDeviceClicks(at time: Timestamp, limit: Int) throws {
        let expired = try connection.query(
            """
            SELECT app_id, mode, device_key, click_id FROM device_clicks
            WHERE expires_at <= \(time) ORDER BY expires_at LIMIT \(limit)
            """
        ) { (scope: $0.scope(0), click: DeviceClick(key: $0.text(2), click: $0.id(3))) }
        // Each on its own, since a list of keys of four columns is found by the first two.
        for row in expired { try eraseDeviceClicks([row.click], in: row.scope) }
    }
}

extension Click {
    fileprivate init(_ row: any SQLRow) {
        self.init(
            id: row.id(0), link: row.id(1), scope: row.scope(2), visitor: Visitor(row), address: row.text(15),
            addressClass: row.addressClass(24), site: row.optionalInteger(26),
            userAgent: row.optionalText(16) ?? "", referrer: row.optionalText(17), referrerHost: row.optionalText(18),
            query: row.optionalText(19), action: row.word(20), reason: row.word(21), browser: row.optionalID(22),
            via: row.optionalID(23), isReportable: row.isNull(25), language: row.optionalText(27),
            matchSeconds: row.optionalInteger(28), appendedHash: row.optionalText(29),
            longLink: row.optionalText(30).map { LongLinkRecord(windows: LinkWindows(stored: $0)) })
    }
}

extension Visitor {
    /// Decodes the columns from 4 on.
    fileprivate init(_ row: any SQLRow) {
        let platform: Platform = row.word(4) ?? .desktop
        self.init(
            platform: platform, os: platform == .desktop ? nil : row.optionalText(5), osVersion: row.optionalText(6),
            device: row.word(7),
            maker: row.word(8), model: row.optionalText(9),
            browser: row.word(10).map { WebBrowser($0, version: row.optionalText(11)) }, inAppBrowser: row.word(12),
            country: row.optionalText(13), robot: row.word(14))
    }
}

extension SQLRow {
    func addressClass(_ column: Int) -> AddressClass { word(column) ?? .plain }

    /// Decodes a case of an enumeration; nil for NULL and for a word of a newer version.
    fileprivate func word<Word: RawRepresentable<String>>(_ column: Int) -> Word? {
        optionalText(column).flatMap(Word.init)
    }
}
