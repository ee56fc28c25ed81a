import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

@Suite struct LinkStatisticsTests {
    @Test func figuresAreTheSameBeforeWhileAndAfterTheyAreAggregated() async throws {
        try await Exchange.run { exchange in
            let installation = exchange.installation
            let key = try await installation.createApp().live.key.branchKey
            let app = try await exchange.services.directory.app(branchKey: key)
            let link = try await exchange.services.links.create(NewLink(alias: "pears"), for: app)
            func figures() async throws -> LinkStatistics {
                try await exchange.services.statistics.statistics(of: link.id, in: link.scope)
            }

            var expected = LinkStatistics()
            for day in 0..<3 {
                for _ in 0...day { _ = try await exchange.get("/pears", userAgent: UserAgents.desktop) }
                _ = try await exchange.get("/pears", userAgent: UserAgents.googlebot)
                _ = try await exchange.post(
                    "/v1/open", ["branch_key": .string(key), "universal_link_url": "https://go.example.com/pears"])
                expected.clicks += Int64(day) + 2
                expected.robots += 1
                expected.sessions += 1
                expected.installs += 1
                #expect(try await figures() == expected)
                let today = try await exchange.services.statistics.dailyStatistics(of: link.id, in: link.scope, days: 1).map(
                    \.statistics)
                #expect(today == [LinkStatistics(clicks: Int64(day) + 2, robots: 1, sessions: 1, installs: 1)])
                try await exchange.services.statistics.aggregate()
                #expect(
                    try await exchange.services.statistics.dailyStatistics(of: link.id, in: link.scope, days: 1).map(\.statistics)
                        == today)
                #expect(try await figures() == expected)
                installation.clock.advance(by: .seconds(86400))
                try await exchange.services.maintenance.runOnce()
                #expect(try await figures() == expected)
            }
            // Each day's own figures, and none for the day that has begun.
            let days = try await exchange.services.statistics.dailyStatistics(of: link.id, in: link.scope, days: 5)
            #expect(days.map(\.statistics.clicks) == [0, 2, 3, 4, 0] && days.map(\.statistics.robots) == [0, 1, 1, 1, 0])
            #expect(days.map(\.statistics.installs) == [0, 1, 1, 1, 0] && days.map(\.statistics.sessions) == [0, 1, 1, 1, 0])
            #expect(days.last?.day == installation.clock.now.day)
            for log in [ActivityLog.clicks, .sessions] {
                let uncounted = try await installation.storage.read {
                    try $0.nextLinkCounts(of: log, before: $0.now, limit: .standard)
                }
                #expect(uncounted == nil)
            }
        }
    }
}
