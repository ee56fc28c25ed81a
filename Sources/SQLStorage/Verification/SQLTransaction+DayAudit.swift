import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// The audit of one day's counters of links and content. Reads the counted rows of the day, and the table of counters once.
extension SQLTransaction {
    package func wrongLinkDays(on day: Int64, limit: Int) throws -> CheckResult {
        var result = CheckResult(examined: 0, problems: [])
        if let ids = try countedIDs(of: .clicks, on: day) { result = try wrongClickDays(ids, day, limit) }
        if let ids = try countedIDs(of: .sessions, on: day) {
            let sessions = try wrongSessionDays(ids, day, limit)
            result = CheckResult(
                examined: result.examined + sessions.examined, problems: Array((result.problems + sessions.problems).prefix(limit)))
        }
        return result
    }

    /// The ids of a day that the daily counters include; nil if some of the rows were deleted for their age.
    func countedIDs(of log: ActivityLog, on day: Int64) throws -> Range<Int64>? {
        let first = IDGenerator.first(at: Timestamp(hour: day * 24))
        guard try cursor(.pruned, log) < first else { return nil }
        let end = min(IDGenerator.first(at: Timestamp(hour: day * 24 + 24)), try cursor(.linkDays, log) + 1)
        return first..<max(first, end)
    }

    /// The log of clicks keeps a row for each, also after an erasure.
    private func wrongClickDays(_ ids: Range<Int64>, _ day: Int64, _ limit: Int) throws -> CheckResult {
        let problems = try clickDayDifferences(ids, day, limit: limit).map { found in
            """
            Link \(found.link) has \(found.rows.clicks) clicks and \(found.rows.robots) visits of robots, of which \(found.counted.clicks) and \
            \(found.counted.robots) are counted.
            """
        }
        let examined = try connection.first(
            "SELECT COUNT(*) FROM clicks WHERE id >= \(ids.lowerBound) AND id < \(ids.upperBound)"
        ) { $0.integer(0) }
        return CheckResult(examined: examined ?? 0, problems: problems)
    }

    /// The rows and the counters of the links whose clicks or robots differ.
    func clickDayDifferences(_ ids: Range<Int64>, _ day: Int64, limit: Int) throws -> [LinkDayDifference] {
        try connection.query(
            """
            SELECT link_id, CAST(SUM(clicks) AS BIGINT), CAST(SUM(robots) AS BIGINT), CAST(SUM(counted_clicks) AS BIGINT),
                CAST(SUM(counted_robots) AS BIGINT)
            FROM (
                SELECT link_id, CASE WHEN robot IS NULL THEN 1 ELSE 0 END AS clicks, CASE WHEN robot IS NULL THEN 0 ELSE 1 END AS robots,
                    0 AS counted_clicks, 0 AS counted_robots
                FROM clicks
                WHERE id >= \(ids.lowerBound) AND id < \(ids.upperBound) AND link_id <> \(Link.ID.long) AND is_uncounted IS NULL
                UNION ALL
                SELECT link_id, 0, 0, clicks, robots FROM link_days WHERE day = \(day)
            ) AS compared
            GROUP BY link_id HAVING SUM(clicks) <> SUM(counted_clicks) OR SUM(robots) <> SUM(counted_robots)
            ORDER BY link_id LIMIT \(limit)
            """
        ) { row in
            LinkDayDifference(
                link: row.id(0), rows: LinkStatistics(clicks: row.integer(1), robots: row.integer(2)),
                counted: LinkStatistics(clicks: row.integer(3), robots: row.integer(4)), isErased: false)
        }
    }

    /// Erased sessions stay counted: where an app has some, the counters may exceed the rows.
    private func wrongSessionDays(_ ids: Range<Int64>, _ day: Int64, _ limit: Int) throws -> CheckResult {
        let problems = try sessionDayDifferences(ids, day, limit: limit).map { found in
            """
            Link \(found.link) has \(found.rows.sessions) sessions and \(found.rows.installs) installs, of which \(found.counted.sessions) and \
            \(found.counted.installs) are counted.
            """
        }
        let examined = try connection.first(
            "SELECT COUNT(*) FROM sessions WHERE id >= \(ids.lowerBound) AND id < \(ids.upperBound)"
        ) { $0.integer(0) }
        return CheckResult(examined: examined ?? 0, problems: problems)
    }

    /// The rows and the counters of the links whose sessions or installs differ by more than erased ones can explain.
    func sessionDayDifferences(_ ids: Range<Int64>, _ day: Int64, limit: Int) throws -> [LinkDayDifference] {
        try connection.query(
            """
            SELECT link_id, sessions, installs, counted_sessions, counted_installs, erased FROM (
                SELECT link_id, CAST(SUM(sessions) AS BIGINT) AS sessions, CAST(SUM(installs) AS BIGINT) AS installs,
                    CAST(SUM(counted_sessions) AS BIGINT) AS counted_sessions,
                    CAST(SUM(counted_installs) AS BIGINT) AS counted_installs,
                    CASE WHEN EXISTS (
                        SELECT 1 FROM links JOIN rollup_changes AS changed
                            ON changed.app_id = links.app_id AND changed.mode = links.mode
                        WHERE links.id = link_id AND hour >= \(day * 24) AND hour < \(day * 24 + 24) AND removed > 0
                            AND topic IN ('open', 'install', 'reinstall', 'web_session')) THEN 1 ELSE 0 END AS erased
                FROM (
                    SELECT link_id, 1 AS sessions,
                        CASE WHEN kind IN \(literals: Session.Kind.installValues) THEN 1 ELSE 0 END AS installs,
                        0 AS counted_sessions, 0 AS counted_installs
                    FROM sessions
                    WHERE id >= \(ids.lowerBound) AND id < \(ids.upperBound) AND link_id IS NOT NULL AND link_id <> \(Link.ID.long)
                    UNION ALL
                    SELECT link_id, 0, 0, sessions, installs FROM link_days WHERE day = \(day)
                ) AS compared
                GROUP BY link_id HAVING SUM(sessions) <> SUM(counted_sessions) OR SUM(installs) <> SUM(counted_installs)
            ) AS different
            WHERE erased = 0 OR sessions > counted_sessions OR installs > counted_installs
            ORDER BY link_id LIMIT \(limit)
            """
        ) { row in
            LinkDayDifference(
                link: row.id(0), rows: LinkStatistics(sessions: row.integer(1), installs: row.integer(2)),
                counted: LinkStatistics(sessions: row.integer(3), installs: row.integer(4)), isErased: row.bool(5))
        }
    }

    package func wrongObjectDays(on day: Int64, limit: Int) throws -> CheckResult {
        var problems = try connection.query(
            """
            SELECT object_id FROM object_days
            WHERE day = \(day) AND (views < 0 OR shares < 0 OR clicks < 0 OR purchases < 0 OR revenue_millionths < 0
                OR NOT EXISTS (SELECT 1 FROM universal_objects WHERE universal_objects.id = object_id))
            LIMIT \(limit)
            """
        ) { "A counter of content \($0.integer(0)) is negative, or the content is not there." }
        if let ids = try countedIDs(of: .clicks, on: day) {
            problems += try objectDayDifferences(ids, day, limit: limit).map {
                "Content \($0.object) has \($0.clicks) clicks, of which \($0.counted) are counted."
            }
        }
        let examined = try connection.first("SELECT COUNT(*) FROM object_days WHERE day = \(day)") { $0.integer(0) }
        return CheckResult(examined: examined ?? 0, problems: Array(problems.prefix(limit)))
    }

    /// The clicks of content and what is counted of them, where they differ, if no link of the app and mode changed since.
    func objectDayDifferences(_ ids: Range<Int64>, _ day: Int64, limit: Int) throws -> [ObjectDayDifference] {
        try connection.query(
            """
            SELECT object_id, CAST(SUM(clicks) AS BIGINT), CAST(SUM(counted) AS BIGINT)
            FROM (
                SELECT links.object_id AS object_id, 1 AS clicks, 0 AS counted
                FROM clicks JOIN links ON links.id = clicks.link_id
                WHERE clicks.id >= \(ids.lowerBound) AND clicks.id < \(ids.upperBound) AND links.object_id IS NOT NULL
                    AND clicks.robot IS NULL AND clicks.is_uncounted IS NULL
                UNION ALL
                SELECT object_id, 0, clicks FROM object_days WHERE day = \(day)
            ) AS compared JOIN universal_objects ON universal_objects.id = object_id
            WHERE (universal_objects.app_id, universal_objects.mode) NOT IN (
                SELECT app_id, mode FROM links WHERE updated_at >= \(Timestamp(hour: day * 24)) AND updated_at > created_at)
            GROUP BY object_id HAVING SUM(clicks) <> SUM(counted) ORDER BY object_id LIMIT \(limit)
            """
        ) { ObjectDayDifference(object: $0.id(0), clicks: $0.integer(1), counted: $0.integer(2)) }
    }
}
