import Linden
import LinkRouting

extension SQLTransaction {
    package func click(_ id: Click.ID) throws -> Click? {
        let found = try connection.first(
            """
            SELECT id, link_id, app_id, mode, platform, os, os_version, robot, address, user_agent_id, referrer_id, query, reason,
                browser_id
            FROM clicks WHERE id = \(id)
            """
        ) { row in
            (row: ClickRow(row), userAgent: row.optionalInteger(9), referrer: row.optionalInteger(10))
        }
        guard let found else { return nil }
        return found.row.click(userAgent: try term(found.userAgent) ?? "", referrer: try term(found.referrer))
    }

    package func insert(_ click: Click) throws {
        let visitor = click.visitor
        try connection.execute(
            """
            INSERT INTO clicks (id, link_id, app_id, mode, platform, os, os_version, robot, address, user_agent_id, referrer_id,
                query, reason, browser_id)
            VALUES (\(click.id), \(click.link), \(click.scope.app), \(click.scope.mode), \(visitor.platform.rawValue),
                \(visitor.os), \(visitor.osVersion), \(visitor.robot?.rawValue), \(click.address),
                \(try termID(.userAgent, click.userAgent)), \(try termID(.referrer, click.referrer)), \(click.query),
                \(click.reason?.rawValue), \(click.browser))
            """)
    }

    package func openClicks(_ fingerprint: Fingerprint, at time: Timestamp, limit: Int) throws -> [OpenClick] {
        try connection.query(
            """
            SELECT click_id, link_id, expires_at FROM open_clicks
            WHERE app_id = \(fingerprint.scope.app) AND mode = \(fingerprint.scope.mode) AND address = \(fingerprint.address)
                AND os = \(fingerprint.os) AND os_version = \(fingerprint.osVersion) AND expires_at > \(time)
            ORDER BY click_id DESC LIMIT \(limit)
            """
        ) { row in
            OpenClick(click: row.id(0), link: row.id(1), fingerprint: fingerprint, expiresAt: row.time(2))
        }
    }

    package func hasExpiredOpenClicks(at time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM open_clicks WHERE expires_at <= \(time) LIMIT 1")
    }

    package func insert(_ click: OpenClick) throws {
        let seen = click.fingerprint
        try connection.execute(
            """
            INSERT INTO open_clicks (app_id, mode, address, os, os_version, click_id, link_id, expires_at)
            VALUES (\(seen.scope.app), \(seen.scope.mode), \(seen.address), \(seen.os), \(seen.osVersion), \(click.click),
                \(click.link), \(click.expiresAt))
            """)
    }

    package func claim(_ click: Click.ID, _ seen: Fingerprint) throws -> Bool {
        try connection.hasRows(
            """
            DELETE FROM open_clicks
            WHERE app_id = \(seen.scope.app) AND mode = \(seen.scope.mode) AND address = \(seen.address) AND os = \(seen.os)
                AND os_version = \(seen.osVersion) AND click_id = \(click)
            RETURNING click_id
            """)
    }

    package func deleteExpiredOpenClicks(at time: Timestamp, limit: Int) throws {
        try connection.execute(
            """
            DELETE FROM open_clicks WHERE expires_at <= (
                SELECT MAX(expires_at) FROM (
                    SELECT expires_at FROM open_clicks WHERE expires_at <= \(time) ORDER BY expires_at LIMIT \(limit)) AS oldest)
            """)
    }
}

/// A click but for the texts that lie elsewhere.
private struct ClickRow {
    let id: Click.ID
    let link: Link.ID
    let scope: Scope
    let visitor: Visitor
    let address: String
    let query: String?
    let reason: Destination.Reason?
    let browser: Browser.ID?

    init(_ row: any SQLRow) {
        id = row.id(0)
        link = row.id(1)
        scope = row.scope(2)
        visitor = Visitor(
            platform: Platform(rawValue: row.text(4)) ?? .desktop, os: row.optionalText(5), osVersion: row.optionalText(6),
            robot: row.optionalText(7).flatMap(RobotReason.init(rawValue:)))
        address = row.text(8)
        query = row.optionalText(11)
        reason = row.optionalText(12).flatMap(Destination.Reason.init(rawValue:))
        browser = row.optionalID(13)
    }

    func click(userAgent: String, referrer: String?) -> Click {
        Click(
            id: id, link: link, scope: scope, visitor: visitor, address: address, userAgent: userAgent, referrer: referrer,
            query: query, reason: reason, browser: browser)
    }
}
