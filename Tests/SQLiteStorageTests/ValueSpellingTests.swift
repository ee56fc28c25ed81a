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

    @Test func twoSpellingsOfALabelThatVisitorsMadeUpAreCountedApart() async throws {
        try await Installation.run { installation in
            let campaigns = ["caf\u{E9}", "cafe\u{301}"]
            try await Traffic(seed: 1).click(campaigns + campaigns, in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            let counted = try await installation.sql { connection in
                try connection.query("SELECT value, count FROM rollups WHERE dimension = 'campaign' AND hours = 24") { row in
                    Array("\(row.text(0)) \(row.integer(1))".utf8)
                }
            }
            #expect(Set(counted) == Set(campaigns.map { Array("\($0) 2".utf8) }))
            try await installation.expectNoProblems()
        }
    }

    @Test func aFilterSelectsOneSpelling() async throws {
        try await Installation.run { installation in
            let campaigns = ["caf\u{E9}", "cafe\u{301}"]
            try await Traffic(seed: 1).click(campaigns + campaigns + [campaigns[0]], in: installation)
            installation.clock.advance(by: .seconds(60))
            try await installation.services.rollups.aggregate()
            for (campaign, clicks) in zip(campaigns, [Int128(3), 2]) {
                let query = try AnalyticsQuery(
                    scope: Traffic.scopes[0], topics: [.click],
                    span: try AnalyticsSpan(
                        start: installation.clock.now - .seconds(86400), end: installation.clock.now + .seconds(86400)),
                    dimensions: [.campaign], filters: [AnalyticsQuery.Filter(.campaign, [campaign], isNegated: false)],
                    granularity: .all)
                let rows = try await installation.services.analytics.counts(query).rows
                #expect(rows.map(\.figure) == [clicks])
                #expect(rows.map { Array($0.values[0].utf8) } == [Array(campaign.utf8)])
            }
        }
    }

    @Test func anExportHasEachLabelInItsSpelling() async throws {
        try await Installation.run { installation in
            let (campaigns, column) = (["caf\u{E9}", "cafe\u{301}"], "last_attributed_touch_data_tilde_campaign")
            try await Traffic(seed: 1).click(campaigns, in: installation)
            installation.clock.advance(by: .seconds(60))
            var request = ExportRequest(
                scope: Traffic.scopes[0], topic: .click, range: try ExportRange(from: nil, to: nil, now: installation.clock.now))
            request.columns = try ExportColumn.columns(named: [column], of: .click)
            request.format = .ndjson
            var cursor = try await installation.services.exports.begin(request)
            var bytes: [UInt8] = []
            while let more = try await cursor.next() { bytes += more }
            let rows = try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { try JSON.parse(String($0)).object }
            #expect(rows.map { Array(($0?[column]?.string ?? "").utf8) } == campaigns.map { Array($0.utf8) })
        }
    }
}
