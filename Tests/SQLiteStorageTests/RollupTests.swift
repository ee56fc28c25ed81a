import Linden
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

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
                        try await traffic.happen(300, in: installation)
                        clock.advance(by: .seconds(Int64(traffic.dice.roll(4000))))
                        if traffic.dice.roll(3) > 0 { try await installation.services.rollups.fold() }
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
            try await installation.services.rollups.fold()
            try await traffic.happen(200, in: installation)
            let ids = try await installation.sql { try $0.query("SELECT id FROM events ORDER BY id") { $0.integer(0) } }
            try await installation.storage.write {
                try $0.erase(.events, ids.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
            }
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.fold()

            let counted = try await installation.count(
                "SELECT SUM(count) FROM rollups WHERE dimension = '' AND hours = 1 AND name <> ''")
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
            if isCounted { try await installation.services.rollups.fold() }
            for (table, ids): (PersonalTable, SQL) in [
                (.events, "SELECT id FROM events WHERE app_id = 1 AND mode = 0 ORDER BY id LIMIT 5"),
                (.sessions, "SELECT id FROM sessions WHERE app_id = 1 AND mode = 0 AND kind = 0 ORDER BY id LIMIT 5"),
            ] {
                let ids = try await installation.sql { try $0.query(ids) { $0.integer(0) } }
                try await installation.storage.write { try $0.erase(table, ids) }
            }
            if !isCounted { try await installation.services.rollups.fold() }

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
            try await installation.services.rollups.fold()
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
            try await installation.services.rollups.fold()
            try await installation.expectNoProblems()
            try await installation.sql { try $0.execute(SQL(text: damage, values: [])) }
            #expect(try await !installation.problems().isEmpty)
        }
    }

    @Test func aDayWithTooManyValuesCountsTheRestAsOther() async throws {
        try await Installation.run { installation in
            let traffic = Traffic(seed: 8)
            let day = installation.clock.now.day
            try await installation.sql { connection in
                for value in 0..<Rollup.valuesOfVisitors - 1 {
                    try connection.execute(
                        """
                        INSERT INTO rollup_values (app_id, mode, dimension, day, value)
                        VALUES (1, 0, 'campaign', \(day), \("old \(value)"))
                        """)
                }
            }
            try await traffic.click(["first", "second", "third", "first"], in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.fold()
            let counted = try await installation.texts(
                "SELECT value || ' ' || count FROM rollups WHERE dimension = 'campaign' AND hours = 24 ORDER BY 1")
            #expect(counted == ["first 2", "other 2"])
            try await installation.expectNoProblems()
        }
    }

    @Test func oneAddressUsesUpItsShareOfADaysValuesAndNotThoseOfOthers() async throws {
        try await Installation.run { installation in
            let traffic = Traffic(seed: 9)
            try await traffic.click((0..<10_050).map { "made-up \($0)" }, from: "203.0.113.7", in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.fold()
            try await traffic.click(["autumn", "made-up 7"], from: "198.51.100.1", in: installation)
            try await traffic.click(["more", "made-up 7"], from: "203.0.113.7", in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.fold()
            let counts = try await installation.texts(
                """
                SELECT value || ' ' || count FROM rollups
                WHERE dimension = 'campaign' AND hours = 24 AND (value IN ('autumn', 'other', 'more', 'made-up 7')) ORDER BY 1
                """)
            #expect(counts == ["autumn 1", "made-up 7 3", "other 9051"])
            try await installation.expectNoProblems()
        }
    }

    @Test func visitorsWhomNothingTellsApartMayBringHalfOfADaysValues() async throws {
        try await Installation.run { installation in
            let traffic = Traffic(seed: 10)
            try await traffic.click((0..<5_050).map { "campaign \($0)" }, from: "", in: installation)
            try await traffic.click(["autumn"], from: "198.51.100.1", in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.fold()
            let counts = try await installation.texts(
                "SELECT value || ' ' || count FROM rollups WHERE dimension = 'campaign' AND hours = 24 AND value IN ('autumn', 'other') ORDER BY 1"
            )
            #expect(counts == ["autumn 1", "other 50"])
        }
    }

    @Test func everyReadOfCountersAndRowsUsesAKey() async throws {
        try await Installation.run { installation in
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
                let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
                for log in ActivityLog.allCases {
                    try recorder.activities(in: log, of: nil, from: 1, before: 9, named: nil) { _ in }
                    try recorder.activities(in: log, of: scope, from: 1, before: 9, named: nil) { _ in }
                    try recorder.activities(in: log, of: scope, from: 1, before: 9, named: nil, isDetailed: true) { _ in }
                }
                try recorder.activities(in: .events, of: scope, from: 1, before: 9, named: "PURCHASE") { _ in }
                _ = try recorder.rollups(of: scope, .click, by: .channel, .hour, hours: 1..<9)
                _ = try recorder.deviceCounts(of: scope, .click, by: .channel, named: false, days: 1..<9)
                for log in ActivityLog.allCases {
                    _ = try recorder.firstWithoutDeviceCount(in: log)
                    _ = try recorder.nextRollups(of: log, before: transaction.now, limit: 9)
                }
                _ = try recorder.rollupChanges(of: scope, .click, hours: 1..<9)
                _ = try recorder.rollupValues(of: scope, by: .channel, day: 1)
                return try connection.recorded.map { sql in
                    (
                        text: sql.text,
                        steps: try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                    )
                }
            }
            #expect(plans.count > 12)
            for plan in plans {
                #expect(!plan.steps.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan.text): \(plan.steps)")
            }
            #expect(
                plans.contains {
                    $0.steps.contains { $0.contains("events_by_name (app_id=? AND mode=? AND name=? AND id>? AND id<?)") }
                })
        }
    }

    /// Sums are grouped, which sorts rows, but only those found by the counters' key.
    @Test func sumsReadOnlyTheCountersOfTheirTime() async throws {
        try await Installation.run { installation in
            let plan = try await installation.plans { recorder, scope in
                _ = try recorder.rollupSums(of: scope, .click, by: .channel, .day, hours: 24..<240)
            }
            let search = "(app_id=? AND mode=? AND topic=? AND dimension=? AND hours=? AND hour>? AND hour<?)"
            #expect(plan.contains { $0.hasPrefix("SEARCH rollups") && $0.contains(search) }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
        }
    }

    /// Funnels, cohorts and lifetime values use covering indexes and read no row of sessions or events.
    @Test func journeysAreReadFromIndexesAlone() async throws {
        try await Installation.run { installation in
            let plan = try await installation.plans { recorder, scope in
                try recorder.installs(of: scope, from: 1, before: 9) { _ in }
                try recorder.openings(of: scope, from: 1, before: 9) { _, _, _ in }
                try recorder.events(named: ["PURCHASE"], of: scope, from: 1, before: 9) { _, _ in }
                try recorder.payments(of: scope, from: 1, before: 9) { _, _, _ in }
            }
            for (step, index) in zip(plan, ["installs_by_scope", "sessions_by_scope", "events_by_name", "events_with_revenue"]) {
                #expect(step.contains("USING COVERING INDEX \(index) (app_id=? AND mode=?"), "\(plan)")
            }
            #expect(plan.count == 4)
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
            try await installation.services.rollups.fold()
            try await installation.services.statistics.fold()
            let cutoff = start + .seconds(20 * 3600)
            try await installation.storage.write { transaction in
                for log in Retention.Log.allCases { try transaction.removeOutdatedRows(of: log, before: cutoff, limit: .max) }
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

    /// The devices of a past day are counted once, exactly, and stay available after their rows are deleted.
    @Test func devicesOfPastDaysAreKnownWithoutTheirRows() async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 10)
            try await traffic.happen(4000, in: installation)
            try await installation.services.rollups.fold()
            let day = installation.clock.now.day - 1
            let span = try AnalyticsSpan(start: Timestamp(hour: day * 24), end: Timestamp(hour: day * 24 + 24))
            let week = try AnalyticsSpan(start: Timestamp(hour: (day - 1) * 24), end: Timestamp(hour: day * 24 + 24))
            let scope = Traffic.scopes[0]
            let queries = try [[], [.channel], [.name], [.link], [.channel, .name]].flatMap { (dimensions: [Dimension]) in
                try [[.click], [.open], [.commerceEvent]].flatMap { (topics: [Topic]) in
                    try [span, week].map {
                        try AnalyticsQuery(
                            scope: scope, topics: topics, span: $0, dimensions: dimensions, aggregation: .uniqueCount)
                    }
                }
            }
            var before: [[AnalyticsAnswer.Row]] = []
            for query in queries { before.append(try await installation.services.analytics.counts(query).rows) }
            #expect(before.allSatisfy { !$0.isEmpty })
            try await installation.sql { connection in
                for table in ["clicks", "sessions", "events"] {
                    try connection.execute(SQL(text: "DELETE FROM \(table)", values: []))
                }
            }
            for (query, rows) in zip(queries, before) {
                #expect(try await installation.services.analytics.counts(query).rows == rows)
            }
        }
    }

    @Test func manyDevicesOverSeveralDaysAreEstimatedAndThoseOfADayExact() async throws {
        try await Installation.run { installation in
            let traffic = Traffic(seed: 11)
            try await traffic.click(["x"], in: installation)
            let day = installation.clock.now.day + 1
            try await installation.sql { connection in
                for (number, browsers) in [1...3000, 1501...4500].enumerated() {
                    let first = IDGenerator.first(at: Timestamp(hour: (day + Int64(number)) * 24))
                    for browser in browsers {
                        try connection.execute(
                            """
                            INSERT INTO clicks (id, app_id, mode, link_id, platform, address, browser_id)
                            VALUES (\(first + Int64(browser) << 22), 1, 0, 1, 'ios', '203.0.113.7', \(browser + 1000))
                            """)
                    }
                }
            }
            installation.clock.advance(by: .seconds(86400 * 4))
            try await installation.services.rollups.fold()
            func answer(_ granularity: Granularity) async throws -> AnalyticsAnswer {
                let span = try AnalyticsSpan(start: Timestamp(hour: day * 24), end: Timestamp(hour: day * 24 + 48))
                return try await installation.services.analytics.counts(
                    try AnalyticsQuery(
                        scope: Traffic.scopes[0], topics: [.click], span: span, aggregation: .uniqueCount, granularity: granularity)
                )
            }
            let days = try await answer(.day)
            #expect(days.rows.map(\.figure) == [3000, 3000] && !days.isEstimated)
            let both = try await answer(.all)
            #expect(both.isEstimated && abs((both.rows.first?.figure ?? 0) - 4500) < 450)
            try await installation.expectNoProblems(on: day)
        }
    }
}

extension Installation {
    /// Returns the steps of the query plans.
    fileprivate func plans(_ body: @escaping @Sendable (SQLTransaction, Scope) throws -> Void) async throws -> [String] {
        try await storage.write { transaction in
            let connection = RecordingConnection((transaction as! SQLTransaction).connection)
            let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
            try body(recorder, Scope(app: Identifier(rawValue: 1), mode: .live))
            return try connection.recorded.flatMap { sql in
                try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
            }
        }
    }
}
