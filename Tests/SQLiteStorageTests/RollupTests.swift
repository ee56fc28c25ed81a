import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// Rollups agree with the rows that they count, and stay when rows change or are deleted.
@Suite struct RollupTests {
    /// Random traffic of two apps in rounds, some aggregated at once, some late, with restarts between. For any query, the counters agree
    /// with the test's own scan.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func figuresAreThoseOfAFullScanThroughLateRowsAndRestarts(seed: UInt64) async throws {
        try await Installation.withFolder { folder in
            var traffic = Traffic(seed: seed)
            let clock = TestClock()
            for _ in 0..<4 {
                traffic = try await Installation.run(path: folder + "/linden.db", clock: clock) { [traffic] installation in
                    var traffic = traffic
                    for _ in 0..<5 {
                        try await traffic.happen(100, in: installation)
                        clock.advance(by: .seconds(Int64(traffic.dice.roll(4000))))
                        if traffic.dice.roll(3) > 0 { try await installation.services.rollups.aggregate() }
                    }
                    try await installation.expectFiguresOf(traffic)
                    return traffic
                }
            }
        }
    }

    @Test func totalsStayWhenRowsAreDeleted() async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 5)
            try await traffic.happen(200, in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            try await traffic.happen(200, in: installation)
            let ids = try await installation.sql { try $0.query("SELECT id FROM events ORDER BY id") { $0.integer(0) } }
            try await installation.storage.write {
                try $0.erase(.events, ids.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
            }
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()

            let counted = try await installation.count(
                "SELECT CAST(SUM(count) AS BIGINT) FROM rollups WHERE dimension = '' AND hours = 1 AND name <> ''")
            #expect(counted == Int64(ids.count))
            try await installation.expectNoProblems()
        }
    }

    /// Rows erased on request do not count as pruned for their age, even if they are the first of their log.
    @Test(arguments: [false, true]) func anErasureIsNoHistoryLost(isCounted: Bool) async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 12)
            let start = installation.clock.now
            try await traffic.happen(600, in: installation)
            installation.clock.advance(by: .seconds(60))
            if isCounted { try await installation.services.rollups.aggregate() }
            for (table, ids): (PersonalTable, SQL) in [
                (.events, "SELECT id FROM events WHERE app_id = 1 AND mode = 0 ORDER BY id LIMIT 5"),
                (.sessions, "SELECT id FROM sessions WHERE app_id = 1 AND mode = 0 AND kind = 0 ORDER BY id LIMIT 5"),
            ] {
                let ids = try await installation.sql { try $0.query(ids) { $0.integer(0) } }
                try await installation.storage.write { try $0.erase(table, ids) }
            }
            if !isCounted { try await installation.services.rollups.aggregate() }

            let scope = Traffic.scopes[0]
            func answer(_ dimensions: [Dimension]) async throws -> AnalyticsAnswer {
                try await installation.services.analytics.counts(
                    AnalyticsQuery(
                        scope: scope, topics: Topic.allCases.filter { $0.log == .events },
                        span: try AnalyticsSpan(start: Timestamp(hour: start.hour), end: Timestamp(hour: start.hour + 48)),
                        dimensions: dimensions))
            }
            let (whole, combined) = (try await answer([]), try await answer([.channel, .platform]))
            #expect(whole.missing == MissingRows() && combined.missing == MissingRows(erased: 5))
            #expect((whole.rows.first?.figure ?? 0) - combined.rows.reduce(0) { $0 + $1.figure } == 5)
            for question in [AnalyticsQuestion.funnel, .lifetimeValue, .cohort] {
                let reply = try await installation.services.analytics.reply(to: question, AnalyticsParameters(), of: scope)
                #expect(reply.missing == MissingRows(erased: question == .cohort ? 5 : 10))
            }
            for day in start.day...installation.clock.now.day { try await installation.expectNoProblems(on: day) }
        }
    }

    /// Counters keep the labels that a link had when they were counted; the audit accepts the difference.
    @Test func figuresKeepTheLabelsOfTheirTime() async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 6)
            try await traffic.happen(300, in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            let channels: SQL = """
                SELECT value || ' ' || SUM(count) FROM rollups WHERE dimension = 'channel' AND hours = 1 GROUP BY value ORDER BY 1
                """
            let before = try await installation.texts(channels)
            try await installation.sql {
                try $0.execute("UPDATE links SET channel = 'renamed', updated_at = \(installation.clock.now)")
            }
            let after = try await installation.texts(channels)
            #expect(before == after)
            try await installation.expectNoProblems()
        }
    }

    @Test(arguments: [
        "UPDATE rollups SET count = count + 1 WHERE dimension = ''",
        "UPDATE rollups SET count = count - 1 WHERE dimension = 'platform'",
        "DELETE FROM rollups WHERE dimension = 'channel'",
        "UPDATE rollups SET revenue_thousands = revenue_thousands + 1 WHERE name = 'PURCHASE'",
        "UPDATE rollups SET revenue_millionths = revenue_millionths + 1 WHERE name = 'PURCHASE'",
        "DELETE FROM clicks WHERE id = (SELECT id FROM clicks WHERE robot IS NULL ORDER BY id LIMIT 1 OFFSET 50)",
        "UPDATE rollups SET count = count + 1 WHERE hours = 24 AND dimension = 'platform'",
        "UPDATE rollups SET value = 'x' WHERE dimension = 'link' AND value = '1'",
    ])
    func changedCountersAreFound(damage: String) async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 7)
            try await traffic.happen(300, in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            try await installation.expectNoProblems()
            try await installation.sql { try $0.execute(SQL(text: damage, values: [])) }
            #expect(try await !installation.problems().isEmpty)
        }
    }

    /// Pruning by age leaves the counters unchanged, and the audit accepts the difference. Queries that need rows report the date since
    /// which they are kept.
    @Test func figuresStayWhenOldRowsAreRemoved() async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 9)
            let start = installation.clock.now
            try await traffic.happen(2500, in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            try await installation.services.statistics.aggregate()
            let cutoff = start + .seconds(20 * 3600)
            try await installation.storage.write { transaction in
                for log in Retention.Log.allCases {
                    while let rows = try transaction.nextOutdatedRows(of: log, before: cutoff) {
                        try transaction.remove(rows, of: log)
                    }
                }
            }
            let hour = Timestamp(hour: start.hour)
            for day in start.day...installation.clock.now.day { try await installation.expectNoProblems(on: day) }
            for scope in Traffic.scopes {
                let span = try AnalyticsSpan(start: hour, end: installation.clock.now)
                let byChannel = try await installation.services.analytics.counts(
                    try AnalyticsQuery(scope: scope, topics: Topic.allCases, span: span, dimensions: [.channel]))
                #expect(byChannel.missing.keptSince == nil)
                for row in byChannel.rows {
                    let expected = traffic.facts.filter { $0.scope == scope && $0.values[.channel] ?? "" == row.values[0] }.count
                    #expect(row.figure == Int128(expected))
                }
                let byTwo = try await installation.services.analytics.counts(
                    try AnalyticsQuery(scope: scope, topics: [.click], span: span, dimensions: [.channel, .platform]))
                #expect(byTwo.missing.keptSince.map { $0 <= cutoff && $0 > start } == true)
            }
        }
    }
}
