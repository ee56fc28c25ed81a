import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func nextLinkCounts(
        of log: ActivityLog, before watermark: Timestamp, limit: CountingLimit
    ) throws -> LinkCountBatch? {
        let state = try countingState(.linkDays, log)
        let end = IDGenerator.first(at: watermark)
        var links: [LinkCountBatch.LinkDay: LinkStatistics] = [:]
        var robots: [LinkCountBatch.AppHour: Int64] = [:]
        var through: Int64?
        var rows = 0
        try connection.read(try uncountedLinkRows(of: log, after: state.through, before: end)) { row in
            let (id, link) = (row.integer(0), Link.ID(rawValue: row.integer(1)))
            through = id
            rows += 1
            if log == .clicks, row.bool(2), row.bool(3) {
                robots[LinkCountBatch.AppHour(scope: row.scope(4), hour: IDGenerator.time(of: id).hour), default: 0] += 1
            }
            if link != .long, row.bool(2) {
                let key = LinkCountBatch.LinkDay(link: link, day: IDGenerator.time(of: id).day)
                let isMarked = row.bool(3)
                var counts = links[key] ?? LinkStatistics()
                switch log {
                case .clicks where isMarked: counts.robots += 1
                case .clicks: counts.clicks += 1
                case .sessions, .events:
                    counts.sessions += 1
                    counts.installs += isMarked ? 1 : 0
                }
                links[key] = counts
            }
            return rows < limit.rows && links.count < limit.counters
        }
        guard let last = through else { return nil }
        return LinkCountBatch(
            log: log, state: state, last: last, links: links, objects: try objectClicks(in: links), robots: robots)
    }

    /// The uncounted rows of a log: id, link, whether the row counts, whether it is a visit of a robot or an install, and the app.
    private func uncountedLinkRows(of log: ActivityLog, after first: Int64, before end: Int64) throws -> SQL {
        switch log {
        case .clicks:
            """
            SELECT id, link_id, is_uncounted IS NULL, robot IS NOT NULL, app_id, mode FROM clicks
            WHERE id > \(first) AND id < \(end) ORDER BY id
            """
        case .sessions:
            """
            SELECT id, COALESCE(link_id, 0), 1, kind IN \(literals: Session.Kind.installValues), app_id, mode FROM sessions
            WHERE id > \(first) AND id < \(end) ORDER BY id
            """
        case .events: throw Failure.invalid("Events are not counted by link.")
        }
    }

    /// Returns the clicks of the content objects of links.
    private func objectClicks(in links: [LinkCountBatch.LinkDay: LinkStatistics]) throws -> [LinkCountBatch.ObjectClicks] {
        try links.compactMap { key, counts -> LinkCountBatch.ObjectClicks? in
            guard counts.clicks > 0 else { return nil }
            let found: UniversalObject.ID?? = try connection.first("SELECT object_id FROM links WHERE id = \(key.link)") {
                $0.optionalID(0)
            }
            guard case let object?? = found else { return nil }
            return LinkCountBatch.ObjectClicks(object: object, day: key.day, clicks: counts.clicks)
        }
    }

    @discardableResult
    package func add(_ batch: LinkCountBatch) throws -> Bool {
        guard try countingState(.linkDays, batch.log) == batch.state else { return false }
        for (key, counts) in batch.links.sorted(by: { ($0.key.link, $0.key.day) < ($1.key.link, $1.key.day) }) {
            try add(counts, to: key)
        }
        for (key, visits) in batch.robots.sorted(by: { $0.key.hour < $1.key.hour }) { try addRobotVisits(visits, to: key) }
        for clicks in batch.objects {
            var statistics = ObjectStatistics()
            statistics.clicks = clicks.clicks
            try count(statistics, of: clicks.object, on: clicks.day)
        }
        try setCursor(.linkDays, batch.log, through: batch.last)
        return true
    }

    /// Adds to the daily counters of a link, which negative counts decrease.
    package func add(_ counts: LinkStatistics, to key: LinkCountBatch.LinkDay) throws {
        try connection.execute(Self.addLinkDay) { row in
            row.bind(key.link.rawValue)
            row.bind(key.day)
            row.bind(counts.clicks)
            row.bind(counts.robots)
            row.bind(counts.sessions)
            row.bind(counts.installs)
        }
    }

    private static let addLinkDay = StaticSQL(
        insertInto: "link_days", "link_id, day, clicks, robots, sessions, installs",
        """
        ON CONFLICT (link_id, day) DO UPDATE
        SET clicks = link_days.clicks + excluded.clicks, robots = link_days.robots + excluded.robots,
            sessions = link_days.sessions + excluded.sessions, installs = link_days.installs + excluded.installs
        """)
}
