import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
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
            WHERE id > \(try cursor(.linkDays, .clicks)) AND link_id = \(link) AND is_uncounted IS NULL
            """
        ) { (all: $0.integer(0), robots: $0.integer(1)) }
        let sessions = try connection.first(
            """
            SELECT COUNT(*), COUNT(CASE WHEN kind IN \(literals: Session.Kind.installValues) THEN 1 END) FROM sessions
            WHERE id > \(try cursor(.linkDays, .sessions)) AND link_id = \(link)
            """
        ) { (all: $0.integer(0), installs: $0.integer(1)) }
        statistics.clicks += (visits?.all ?? 0) - (visits?.robots ?? 0)
        statistics.robots += visits?.robots ?? 0
        statistics.sessions += sessions?.all ?? 0
        statistics.installs += sessions?.installs ?? 0
        return statistics
    }

    package func dailyStatistics(
        of links: [Link.ID], on days: ClosedRange<Int64>
    ) throws -> [LinkCountBatch.LinkDay: LinkStatistics] {
        var statistics: [LinkCountBatch.LinkDay: LinkStatistics] = [:]
        func add(_ rows: [(key: LinkCountBatch.LinkDay, statistics: LinkStatistics)]) {
            for row in rows { statistics[row.key, default: LinkStatistics()] += row.statistics }
        }
        add(
            try connection.query(
                """
                SELECT link_id, day, clicks, robots, sessions, installs FROM link_days
                WHERE link_id IN \(list: links) AND day BETWEEN \(days.lowerBound) AND \(days.upperBound)
                """
            ) { row in
                (
                    LinkCountBatch.LinkDay(link: row.id(0), day: row.integer(1)),
                    LinkStatistics(
                        clicks: row.integer(2), robots: row.integer(3), sessions: row.integer(4), installs: row.integer(5))
                )
            })
        let first = IDGenerator.first(at: Timestamp(hour: days.lowerBound * 24))
        let end = IDGenerator.first(at: Timestamp(hour: (days.upperBound + 1) * 24))
        add(
            try connection.query(
                """
                SELECT link_id, ((id >> 22) + \(IDGenerator.epoch)) / \(Timestamp.millisecondsPerDay), COUNT(*), COUNT(robot) FROM clicks
                WHERE id > \(max(try cursor(.linkDays, .clicks), first - 1)) AND id < \(end) AND link_id IN \(list: links)
                    AND is_uncounted IS NULL
                GROUP BY 1, 2
                """
            ) { row in
                (
                    LinkCountBatch.LinkDay(link: row.id(0), day: row.integer(1)),
                    LinkStatistics(clicks: row.integer(2) - row.integer(3), robots: row.integer(3))
                )
            })
        add(
            try connection.query(
                """
                SELECT link_id, ((id >> 22) + \(IDGenerator.epoch)) / \(Timestamp.millisecondsPerDay), COUNT(*),
                    COUNT(CASE WHEN kind IN \(literals: Session.Kind.installValues) THEN 1 END) FROM sessions
                WHERE id > \(max(try cursor(.linkDays, .sessions), first - 1)) AND id < \(end) AND link_id IN \(list: links)
                GROUP BY 1, 2
                """
            ) { row in
                (
                    LinkCountBatch.LinkDay(link: row.id(0), day: row.integer(1)),
                    LinkStatistics(sessions: row.integer(2), installs: row.integer(3))
                )
            })
        return statistics
    }

    /// Counts a session that is about to be deleted, unless it is already counted.
    func countBeforeDeletion(of id: Int64) throws {
        guard id > (try cursor(.linkDays, .sessions)) else { return }
        try connection.execute(
            """
            INSERT INTO link_days (link_id, day, clicks, robots, sessions, installs)
            SELECT link_id, ((id >> 22) + \(IDGenerator.epoch)) / \(Timestamp.millisecondsPerDay),
                0, 0, 1, CASE WHEN kind IN \(literals: Session.Kind.installValues) THEN 1 ELSE 0 END
            FROM sessions WHERE id = \(id) AND link_id <> \(Link.ID.long)
            ON CONFLICT (link_id, day) DO UPDATE
            SET sessions = link_days.sessions + excluded.sessions, installs = link_days.installs + excluded.installs
            """)
    }

    /// Moves a counted session from one link's daily counters to another's. A session not yet counted is counted later, under its new link.
    func recount(_ session: Session, from old: Link.ID?, to new: Link.ID?) throws {
        guard old != new, try session.id.rawValue <= cursor(.linkDays, .sessions) else { return }
        for (link, count) in [(old, Int64(-1)), (new, 1)] {
            guard let link, link != .long else { continue }
            let counts = LinkStatistics(sessions: count, installs: session.kind.isInstall ? count : 0)
            try add(counts, to: LinkCountBatch.LinkDay(link: link, day: session.id.time.day))
        }
    }

    /// The id of the last click counted in the daily counters.
    func aggregatedClicks() throws -> Int64 { try cursor(.linkDays, .clicks) }
}
