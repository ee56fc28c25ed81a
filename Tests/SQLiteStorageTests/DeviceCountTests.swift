import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// Numbers of distinct devices.
@Suite struct DeviceCountTests {
    /// The devices of a past day are counted once, exactly, and stay available after their rows are deleted.
    @Test func devicesOfPastDaysAreKnownWithoutTheirRows() async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 10)
            try await traffic.happen(4000, in: installation)
            try await installation.services.rollups.aggregate()
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
            try await installation.services.rollups.aggregate()
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
