import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLiteStorage
import Testing

/// The distinct values counted per day, after strangers have used up their share.
@Suite struct LabelShareTests {
    @Test func linksThatTheAppMakesItselfAreCountedByNameWhenStrangersHaveFilledTheDay() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            try await flood(scope, exchange)
            try await visit(exchange, key, "stranger", [:])
            try await visit(exchange, key, "guess", ["branch_secret": "wrong"])
            try await visit(exchange, key, "autumn", ["branch_secret": .string(app.live.secret)])
            let header: HTTPFields = [HTTPField.Name("Branch-Secret")!: app.live.secret]
            try await visitBulk(exchange, key, "bulk", header)
            try await visitBulk(exchange, key, "strange-bulk", [:])
            let changed = try await exchange.createLink(key, ["campaign": "changing"])
            let change: JSONObject = [
                "branch_key": .string(key), "branch_secret": .string(app.live.secret), "campaign": "winter",
            ]
            #expect(try await exchange.put("/v1/url?url=https://go.example.com" + changed, .object(change)).status == 200)
            _ = try await exchange.get(changed)

            let counts = try await campaigns(of: scope, exchange)
            for campaign in ["autumn", "bulk", "winter"] { #expect(counts[campaign] == 1, "\(campaign)") }
            for campaign in ["stranger", "guess", "strange-bulk"] { #expect(counts[campaign] == nil, "\(campaign)") }
            #expect(counts[Rollup.other] == 1003)
        }
    }

    @Test func theVisitorsOfOneSiteShareFourTimesTheLabelsOfAVisitor() async throws {
        try await Exchange.run { exchange in
            let scope = try await exchange.installation.createApp().live.key.scope
            try await exchange.installation.storage.write { transaction in
                for number in 0..<5000 {
                    try transaction.insert(
                        Click(
                            id: try transaction.newID(), link: .long, scope: scope, visitor: Visitor(platform: .desktop),
                            address: "2001:db8:1:\(number / 500)::/64", site: 7, userAgent: "Browser/1", referrer: nil,
                            query: "campaign=made-up-\(number)", reason: nil,
                            longLink: LongLinkRecord(labels: Labels(campaign: "made-up-\(number)"))))
                }
                try transaction.insert(
                    Click(
                        id: try transaction.newID(), link: .long, scope: scope, visitor: Visitor(platform: .desktop),
                        address: "2001:db8:2:0::/64", site: 8, userAgent: "Browser/1", referrer: nil, query: "campaign=autumn",
                        reason: nil, longLink: LongLinkRecord(labels: Labels(campaign: "autumn"))))
            }
            let counts = try await campaigns(of: scope, exchange)
            #expect(counts[Rollup.other] == 1000)
            #expect(counts["autumn"] == 1)
        }
    }

    @Test func addressesOfOneSiteAreCountedAsOneSite() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            for number in 0..<3 { _ = try await exchange.get(path, from: "2001:db8:1:\(number)::7") }
            #expect(try await exchange.rows("SELECT COUNT(DISTINCT site) FROM clicks WHERE site IS NOT NULL") == 1)
            // Two sites may share a number, but hardly all of them.
            for number in 2..<10 { _ = try await exchange.get(path, from: "2001:db8:\(number)::7") }
            #expect(try await exchange.rows("SELECT COUNT(DISTINCT site) FROM clicks") > 1)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks WHERE site NOT BETWEEN 0 AND 65535") == 0)
        }
    }

    @Test func madeUpDevicesOfOneSiteAreCountedAsOneSite() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for number in 0..<3 {
                let answer = try await exchange.post(
                    "/v1/install", ["branch_key": .string(key), "hardware_id": .string("made-up-\(number)"), "os": "iOS"],
                    from: "2001:db8:1:\(number)::7")
                #expect(answer.status == 200)
            }
            #expect(try await exchange.rows("SELECT COUNT(*) FROM devices WHERE site IS NOT NULL") == 3)
            #expect(try await exchange.rows("SELECT COUNT(DISTINCT site) FROM devices") == 1)
        }
    }

    @Test func noSiteIsStoredWhereNoAddressIs() async throws {
        try await Exchange.run(privacy: AddressPrivacy(.none)) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks WHERE site IS NULL") == 1)
        }
    }

    /// Sends as many invented campaigns as visitors may introduce in a day, and a thousand more, from eleven addresses.
    private func flood(_ scope: Scope, _ exchange: Exchange) async throws {
        try await exchange.installation.storage.write { transaction in
            for number in 0..<Rollup.valuesOfVisitors + 1000 {
                try transaction.insert(
                    Click(
                        id: try transaction.newID(), link: .long, scope: scope, visitor: Visitor(platform: .desktop),
                        address: "203.0.113.\(number % 11)", userAgent: "Browser/1", referrer: nil,
                        query: "campaign=made-up-\(number)", reason: nil,
                        longLink: LongLinkRecord(labels: Labels(campaign: "made-up-\(number)"))))
            }
        }
        try await aggregate(exchange)
    }

    private func visit(_ exchange: Exchange, _ key: String, _ campaign: String, _ fields: JSONObject) async throws {
        _ = try await exchange.get(try await exchange.createLink(key, fields.merging(["campaign": .string(campaign)])))
    }

    private func visitBulk(_ exchange: Exchange, _ key: String, _ campaign: String, _ headers: HTTPFields) async throws {
        let answer = try await exchange.post("/v1/url/bulk/\(key)", [["campaign": .string(campaign)]], headers: headers)
        let url = try #require(answer.json.array?.first?.object?["url"]?.string)
        _ = try await exchange.get(String(url.dropFirst("https://go.example.com".count)))
    }

    private func aggregate(_ exchange: Exchange) async throws {
        exchange.installation.clock.advance(by: .seconds(60))
        try await exchange.services.rollups.aggregate()
    }

    private func campaigns(of scope: Scope, _ exchange: Exchange) async throws -> [String: Int64] {
        try await aggregate(exchange)
        let day = exchange.installation.clock.now.day
        return try await exchange.installation.storage.read { reader in
            var counts: [String: Int64] = [:]
            try reader.visitRollups(of: scope, .click, by: .campaign, .day, hours: day * 24..<day * 24 + 24) {
                counts[$0.key.value, default: 0] += $0.figures.count
            }
            return counts
        }
    }
}
