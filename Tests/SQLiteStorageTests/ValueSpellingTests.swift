import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Values that Swift takes for the same text although their bytes differ: to the database they are two.
@Suite struct ValueSpellingTests {
    @Test func twoSpellingsOfAValueAreTwoRowsInTheOrderOfTheirBytes() async throws {
        try await Installation.run { installation in
            let (day, campaigns) = (Int64(20_000), ["caf\u{E9}", "cafe\u{301}", "cafeteria"])
            try await installation.sql { connection in
                for campaign in campaigns {
                    try connection.execute(
                        """
                        INSERT INTO rollups (app_id, mode, topic, dimension, hours, hour, name, value, count, revenue_millionths)
                        VALUES (1, 0, 'click', 'campaign', 24, \(day * 24), '', \(campaign), 3, 0)
                        """)
                }
            }
            let query = try AnalyticsQuery(
                scope: Scope(app: Identifier(rawValue: 1), mode: .live), topics: [.click],
                span: try AnalyticsSpan(start: Timestamp(hour: day * 24), end: Timestamp(hour: day * 24 + 24)),
                dimensions: [.campaign], granularity: .all)
            let rows = try await installation.services.analytics.counts(query).rows
            #expect(rows.map(\.figure) == [3, 3, 3])
            #expect(rows.map { Array($0.values[0].utf8) } == [campaigns[2], campaigns[1], campaigns[0]].map { Array($0.utf8) })
        }
    }
}
