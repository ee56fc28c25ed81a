import Linden

/// The two logs from which the daily counters of links are aggregated.
private enum Fold: String, CaseIterable {
    case clicks = "link_days.clicks"
    case sessions = "link_days.sessions"
}

extension SQLTransaction {
    /// The values of ``Session/Kind`` that are installs.
    private static let isInstall: StaticString = "kind IN (0, 5)"

    package func statistics(of link: Link.ID) throws -> LinkStatistics {
        let counted = try connection.first(
            """
            SELECT CAST(COALESCE(SUM(clicks), 0) AS BIGINT), CAST(COALESCE(SUM(robots), 0) AS BIGINT),
                CAST(COALESCE(SUM(sessions), 0) AS BIGINT), CAST(COALESCE(SUM(installs), 0) AS BIGINT)
            FROM link_days WHERE link_id = \(link)
            """
        ) { row in
            LinkStatistics(clicks: row.integer(0), robots: row.integer(1), sessions: row.integer(2), installs: row.integer(3))
        }
        var statistics = counted ?? LinkStatistics()
        let visits = try connection.first(
            """
            SELECT COUNT(*), COUNT(robot) FROM clicks
            WHERE id > \(try cursor(.clicks)) AND link_id = \(link) AND is_uncounted IS NULL
            """
        ) { (all: $0.integer(0), robots: $0.integer(1)) }
        let sessions = try connection.first(
            """
            SELECT COUNT(*), COUNT(CASE WHEN \(raw: Self.isInstall) THEN 1 END) FROM sessions
            WHERE id > \(try cursor(.sessions)) AND link_id = \(link)
            """
        ) { (all: $0.integer(0), installs: $0.integer(1)) }
        statistics.clicks += (visits?.all ?? 0) - (visits?.robots ?? 0)
        statistics.robots += visits?.robots ?? 0
        statistics.sessions += sessions?.all ?? 0
        statistics.installs += sessions?.installs ?? 0
        return statistics
    }

    package func hasUncountedRows(before horizon: Timestamp) throws -> Bool {
        try Fold.allCases.contains { try lastRow(of: $0, before: horizon, limit: 1) != nil }
    }

    package func countRows(before horizon: Timestamp, limit: Int) throws -> Int64? {
        var counted: Int64?
        if let last = try lastRow(of: .clicks, before: horizon, limit: limit) {
            try connection.execute(
                """
                INSERT INTO link_days (link_id, day, clicks, robots, sessions, installs)
                SELECT link_id, ((id >> 22) + \(IDGenerator.epoch)) / \(Timestamp.millisecondsPerDay),
                    COUNT(*) - COUNT(robot), COUNT(robot), 0, 0
                FROM clicks WHERE id > \(try cursor(.clicks)) AND id <= \(last) AND link_id <> \(Link.ID.long)
                    AND is_uncounted IS NULL
                GROUP BY 1, 2
                ON CONFLICT (link_id, day) DO UPDATE
                SET clicks = link_days.clicks + excluded.clicks, robots = link_days.robots + excluded.robots
                """)
            try countObjectClicks(after: cursor(.clicks), through: last)
            try setCursor(.clicks, through: last)
            counted = last
        }
        if let last = try lastRow(of: .sessions, before: horizon, limit: limit) {
            try connection.execute(
                """
                INSERT INTO link_days (link_id, day, clicks, robots, sessions, installs)
                SELECT link_id, ((id >> 22) + \(IDGenerator.epoch)) / \(Timestamp.millisecondsPerDay),
                    0, 0, COUNT(*), COUNT(CASE WHEN \(raw: Self.isInstall) THEN 1 END)
                FROM sessions WHERE id > \(try cursor(.sessions)) AND id <= \(last) AND link_id <> \(Link.ID.long)
                GROUP BY 1, 2
                ON CONFLICT (link_id, day) DO UPDATE
                SET sessions = link_days.sessions + excluded.sessions, installs = link_days.installs + excluded.installs
                """)
            try setCursor(.sessions, through: last)
            counted = max(counted ?? 0, last)
        }
        return counted
    }

    /// Counts a session that is about to be deleted, unless it is already counted.
    func countBeforeDeletion(of id: Int64) throws {
        guard id > (try cursor(.sessions)) else { return }
        try connection.execute(
            """
            INSERT INTO link_days (link_id, day, clicks, robots, sessions, installs)
            SELECT link_id, ((id >> 22) + \(IDGenerator.epoch)) / \(Timestamp.millisecondsPerDay),
                0, 0, 1, CASE WHEN \(raw: Self.isInstall) THEN 1 ELSE 0 END
            FROM sessions WHERE id = \(id) AND link_id <> \(Link.ID.long)
            ON CONFLICT (link_id, day) DO UPDATE
            SET sessions = link_days.sessions + excluded.sessions, installs = link_days.installs + excluded.installs
            """)
    }

    /// Moves a counted session from one link's daily counters to another's. A session not yet counted is counted later, under its new link.
    func recount(_ session: Session, from old: Link.ID?, to new: Link.ID?) throws {
        guard old != new, try session.id.rawValue <= cursor(.sessions) else { return }
        for (link, count) in [(old, -1), (new, 1)] {
            guard let link, link != .long else { continue }
            let installs = session.kind.isInstall ? count : 0
            try connection.execute(
                """
                INSERT INTO link_days (link_id, day, clicks, robots, sessions, installs)
                VALUES (\(link), \(session.id.time.day), 0, 0, \(count), \(installs))
                ON CONFLICT (link_id, day) DO UPDATE
                SET sessions = link_days.sessions + excluded.sessions, installs = link_days.installs + excluded.installs
                """)
        }
    }

    /// The id of the last click counted in the daily counters.
    func foldedClicks() throws -> Int64 { try cursor(.clicks) }

    private func cursor(_ fold: Fold) throws -> Int64 { try cursor(fold.rawValue) }

    private func setCursor(_ fold: Fold, through id: Int64) throws { try setCursor(fold.rawValue, through: id) }

    /// The id of the last of the next `limit` uncounted rows; nil if there are none.
    private func lastRow(of fold: Fold, before horizon: Timestamp, limit: Int) throws -> Int64? {
        let (after, end) = (try cursor(fold), IDGenerator.first(at: horizon))
        let sql: SQL =
            switch fold {
            case .clicks: "SELECT id FROM clicks WHERE id > \(after) AND id < \(end) ORDER BY id LIMIT \(limit)"
            case .sessions: "SELECT id FROM sessions WHERE id > \(after) AND id < \(end) ORDER BY id LIMIT \(limit)"
            }
        return try connection.query(sql) { $0.integer(0) }.last
    }
}
