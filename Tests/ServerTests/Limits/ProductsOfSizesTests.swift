import BranchWire
import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Lists and texts whose sizes, each bounded, would multiply.
@Suite struct ProductsOfSizesTests {
    @Test func aStreamNamesATopicOnce() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let answer = try await exchange.manage(
                .get, "/api/v1/events/stream?app=\(app.app.id)&topic=eo_open,eo_click,eo_open", token: token)
            #expect(answer.status == 400 && answer.errorMessage == "The topic eo_open is named twice.")
        }
    }

    @Test func aGroupOfColumnsIsNamedOnce() throws {
        let failure = #expect(throws: Failure.self) { try ExportColumn.columns(named: ["all", "all"], of: .open) }
        #expect(failure?.message.hasSuffix("is named twice.") == true)
    }

    @Test func aChangeHasAsManySettingsAsAnAppMayHave() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let credentials: JSONObject = [
                "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret),
            ]
            for (count, message) in [(200, "at most 200 settings on each of its sides"), (401, "may change at most 400 settings")] {
                let settings = JSONObject((0..<count).map { (key: "new\($0)", value: JSON.integer(1)) })
                let answer = try await exchange.send(
                    .put, "/v1/app/\(app.live.key.branchKey)", body: JSON.object(credentials.merging(settings)).bytes)
                #expect(answer.status == 400 && answer.errorMessage?.contains(message) == true, "\(answer.body)")
            }
            #expect(try await exchange.services.apps.show("\(app.app.id)").app.configuration.values["new1"] == nil)
        }
    }

    @Test func changesOfManyLinksAreNoLargerThanALink() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"])
            let link = try await exchange.services.links.find("pears")
            let many = JSONObject((0..<1001).map { (key: "k\($0)", value: JSON.integer(1)) })
            for data in [["a": 1], many] as [JSONObject] {
                let answer = try await exchange.manage(
                    .patch, "/api/v1/links?app=\(app.app.id)", token: token,
                    ["links": JSON(["\(link.id)"]), "change": ["data": .string(JSON.object(data).text)]])
                #expect(answer.status == (data.count == 1 ? 200 : 413), "\(answer.body)")
            }
            #expect(try await exchange.services.links.find("pears").data == ["a": 1])
        }
    }

    @Test func aReferenceLongerThanAnAliasNamesNoLink() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.createLink(
                try await exchange.installation.createApp().live.key.branchKey, ["alias": "e\u{301}t\u{e9}"])
            #expect(try await exchange.services.links.find("\u{e9}te\u{301}").address.path == "\u{e9}t\u{e9}")
            await #expect(throws: Failure.self) {
                try await exchange.services.links.find(String(repeating: "\u{e9}", count: 10_000))
            }
        }
    }

    @Test func aFilterThatIsNegatedTwiceIsTheSame() throws {
        let filter = try AnalyticsQuery.Filter("name", ["purchase", "share"])
        #expect(filter.negated.isNegated && !filter.negated.negated.isNegated)
        #expect(filter.negated.values == filter.values && filter.negated.dimension == filter.dimension)
    }

    @Test func ofMuchMetadataTheSmallestOfTheFirstMembersAreKeptWithAReward() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let rule = NewRewardRule(event: "pruned", recipient: .actor, amount: try CreditAmount(5))
            _ = try await exchange.services.rewards.add(rule, to: app.live.key.scope, CreditCall())
            let data = JSONObject(
                [(key: "first", value: JSON.string(String(repeating: "g", count: 3000)))]
                    + (0..<2000).map { (key: "k\($0)", value: JSON.integer(1)) })
            let answer = try await exchange.post(
                "/v2/event/custom",
                [
                    "branch_key": .string(app.live.key.branchKey), "name": "pruned", "event_data": ["t": 1],
                    "custom_data": .object(data), "user_data": ["os": "iOS", "developer_identity": "ann"],
                ])
            #expect(answer.status == 200)
            let history = try await exchange.services.credits.history(
                try CreditHistoryQuery(), of: .named("ann"), in: app.live.key.scope)
            let kept = try #require(history.first).metadata
            #expect(kept["t"] == 1 && kept["k1"] == 1 && kept["first"] == nil)
            #expect((40..<60).contains(kept.count))
        }
    }

    @Test(arguments: ["true", "YES", "1"]) func aSwitchIsOnByAShortText(text: String) {
        #expect(ControlParameters(["$web_only": text]).flag("$web_only", default: false))
    }

    @Test(arguments: ["", "no", "truely", String(repeating: "\u{c9}", count: 30_000)]) func aSwitchIsOffByAnyOther(text: String) {
        #expect(!ControlParameters(["$web_only": text]).flag("$web_only", default: false))
    }

    @Test func aHostOfMoreLabelsThanAnyHasIsNoApps() {
        let hosts = NamedHosts(["orchard.example"])
        #expect(hosts.contains(String(repeating: "a.", count: 31) + "orchard.example"))
        #expect(!hosts.contains(String(repeating: "a.", count: 32) + "orchard.example"))
    }
}
