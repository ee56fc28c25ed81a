import Linden
import LindenTesting
import LinkRouting
import Testing

@Suite struct ExportRoutesTests {
    @Test func aTopicsFileIsGoodForSevenDaysAndForNothingElse() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.get(try await exchange.mint(app.live.key.branchKey), userAgent: UserAgents.desktop)
            exchange.installation.clock.advance(by: .seconds(1))
            let answer = try await exchange.post(
                "/v3/export",
                [
                    "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret),
                    "export_date": "2027-01-15",
                ])
            let topics = try #require(answer.json.object)
            #expect(Set(topics.keys) == Set(ExportTopic.daily.map(\.rawValue)))
            let url = try #require(topics["eo_click"]?.array?.first?.string)
            let target = String(url.dropFirst("https://go.example.com".count))

            #expect(try await exchange.get(target).status == 200)
            #expect(try await exchange.get(target.replacing("eo_click", with: "eo_open")).status == 403)
            #expect(try await exchange.get(target.replacing("2027-01-15", with: "2027-01-14")).status == 403)
            exchange.installation.clock.advance(by: .seconds(7 * 86400))
            let late = try await exchange.get(target)
            #expect(late.status == 403)
            #expect(late.body.contains("7 days"))
        }
    }

    @Test func anExportThatGoesOnHasWhatCameSinceAndNothingTwice() async throws {
        try await Exchange.run { exchange in
            let installation = exchange.installation
            let key = try await installation.createApp().live.key
            let path = try await exchange.mint(key.branchKey)
            var checkpoint: ExportCheckpoint?
            for round in 1...3 {
                for _ in 0..<round { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
                installation.clock.advance(by: .milliseconds(1))
                var request = ExportRequest(
                    scope: key.scope, topic: .click, range: try ExportRange(from: nil, to: nil, now: installation.clock.now))
                request.since = checkpoint
                request.columns = try ExportColumn.columns(named: ["id"], of: .click)
                var cursor = try await exchange.services.exports.begin(request)
                while try await cursor.next() != nil {}
                #expect(cursor.rows == Int64(round))
                checkpoint = cursor.checkpoint
            }
        }
    }
}
