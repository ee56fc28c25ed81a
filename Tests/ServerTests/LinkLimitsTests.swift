import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Links that expire: after one session, at a time, or after a number of clicks.
@Suite struct LinkLimitsTests {
    @Test(arguments: [["type": 1], ["data": ["$one_time_use": true]]] as [JSONObject])
    func aOneTimeLinkIsUsedUpByTheFirstSessionAndNeverByAClick(fields: JSONObject) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data = (fields["data"]?.object ?? [:]).merging(["coupon": "RIPE", "$fallback_url": "https://orchard.example.com/c"])
            let path = try await exchange.createLink(key, fields.merging(["data": .object(data), "alias": "coupon"]))
            _ = try await exchange.get(path)
            let click = try #require(try await exchange.get(path).linkClickID)

            let first = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.1")
            #expect(try first.data["coupon"] == "RIPE")
            for fields in [["link_identifier": .string(click)], ["universal_link_url": .string("https://go.example.com" + path)]]
                as [JSONObject]
            {
                let later = try await exchange.install(key, fields, from: "192.0.2.2")
                #expect(try later.data["+clicked_branch_link"] == false)
                #expect(try later.data["coupon"] == nil)
            }
            // The pending click is not matched either, and visitors are sent to the web.
            #expect(try await exchange.install(key).data["+clicked_branch_link"] == false)
            #expect(try await exchange.get(path).location?.hasPrefix("https://orchard.example.com/c?_branch_match_id=") == true)
            let read = try await exchange.get("/v1/url?url=https://go.example.com\(path)&branch_key=\(key)")
            #expect(read.object["data"]?.object?["$one_time_use_used"] == true)
        }
    }

    @Test func aRetryOfTheOneSessionIsAnsweredAsBefore() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try #require(
                try await exchange.get(try await exchange.createLink(key, ["type": 1, "data": ["a": 1]])).linkClickID)
            let fields: JSONObject = ["link_identifier": .string(click), "branch_sdk_request_unique_id": "R-1"]
            let first = try await exchange.install(key, fields)
            let retry = try await exchange.install(key, fields)
            #expect(retry.body == first.body)
            #expect(try retry.data["a"] == 1)
        }
    }

    @Test func manyPhonesAtOnceGetOneUseAllTheSame() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["type": 1, "data": ["a": 1]])
            let url = JSON.string("https://go.example.com" + path)
            let winners = try await withThrowingTaskGroup(of: Bool.self) { tasks in
                for number in 1...30 {
                    tasks.addTask {
                        try await exchange.install(key, ["universal_link_url": url], from: "192.0.2.\(number)").data["a"] == 1
                    }
                }
                return try await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }

    @Test func pastItsTimeALinkSaysSoOrLeadsWhereItsMakerSends() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let end: JSONObject = ["expires_at": "2027-01-15T09:00:00Z", "data": ["a": 1]]
            let page = try await exchange.createLink(key, end)
            let sent = try await exchange.createLink(key, end.merging(["expired_url": "https://orchard.example.com/over"]))
            #expect(try await exchange.get(page).status == 200)
            exchange.installation.clock.advance(by: .seconds(3600))

            let gone = try await exchange.get(page)
            #expect(gone.status == 410)
            #expect(gone.body.contains("This link has expired"))
            #expect(try await exchange.get(page, headers: [.accept: "application/json"]).errorCode == 410)
            let elsewhere = try await exchange.get(sent)
            #expect(elsewhere.status == 302)
            #expect(elsewhere.location == "https://orchard.example.com/over")
            let opened = try await exchange.install(key, ["universal_link_url": .string("https://go.example.com" + page)])
            #expect(try opened.data["+clicked_branch_link"] == false)
        }
    }

    @Test func aCapCountsPeopleAloneAndIsExact() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["max_clicks": 5])
            for _ in 1...3 { _ = try await exchange.get(path, userAgent: UserAgents.googlebot) }
            let answers = try await withThrowingTaskGroup(of: Int.self) { tasks in
                for number in 1...20 { tasks.addTask { try await exchange.get(path, from: "192.0.2.\(number)").status } }
                return try await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.filter { $0 == 200 }.count == 5)
            #expect(answers.filter { $0 == 410 }.count == 15)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks WHERE robot IS NULL") == 5)
        }
    }

    @Test func aLinkEndsWithItsContentWhereTheAppWantsItSo() async throws {
        try await Exchange.run { exchange in
            let wanting = Installation.settings.merging(["links.expire_with_content": true])
            for (settings, status) in [(Installation.settings, 200), (wanting, 410)] {
                let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
                let path = try await exchange.createLink(key, ["data": ["$exp_date": 1_799_999_999_000]])
                #expect(try await exchange.get(path).status == status)
            }
        }
    }

    @Test func limitsAreReadChangedAndLifted() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(
                app.live.key.branchKey,
                ["alias": "sale", "expires_at": "2027-02-01T00:00:00+01:00", "expired_url": "https://x.example", "max_clicks": 9])
            let call = "/v1/url?url=https://go.example.com\(path)&branch_key=\(app.live.key.branchKey)"
            let read = try await exchange.get(call)
            #expect(read.object["expires_at"] == "2027-01-31T23:00:00.000Z")
            #expect(read.object["expired_url"] == "https://x.example")
            #expect(read.object["max_clicks"] == 9)
            let changed = try await exchange.put(
                call,
                [
                    "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret), "max_clicks": 2,
                    "expires_at": nil,
                ])
            #expect(changed.object["max_clicks"] == 2)
            #expect(changed.object["expires_at"] == nil)
            #expect(changed.object["expired_url"] == "https://x.example")
        }
    }

    private static let mistakes: [(field: String, value: JSON)] = [
        ("expires_at", "tomorrow"), ("expires_at", "2027-01-31"), ("expires_at", 5), ("expired_url", "javascript:alert(1)"),
        ("expired_url", "orchard://x"), ("max_clicks", 0), ("max_clicks", -1), ("max_clicks", "many"),
    ]

    @Test(arguments: mistakes)
    func aLimitMustBeOne(field: String, value: JSON) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post("/v1/url", ["branch_key": .string(key), field: value])
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains(field) == true)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 0)
        }
    }

    @Test(arguments: ["access_token", "AccessToken", "auth_token", "AuthToken"])
    func anAddressWithATokenInItIsRefused(key name: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            #expect(try await exchange.get("\(path)?\(name)=x").status == 400)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks") == 0)
        }
    }
}

/// A visitor's continuation from page to page counts as one click.
@Suite struct GoingOnTests {
    private static let one: JSONObject = ["max_clicks": 1]

    @Test func aPhoneThatScansTheCodeOfADesktopGoesOnWithItsClick() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp(settings: ["ios_uri_scheme": "orchard"]).live.key.branchKey
            let path = try await exchange.createLink(key, Self.one)
            let long = path + "?story=" + String(repeating: "pear", count: 100)
            let page = try await exchange.get(long, userAgent: UserAgents.desktop).body
            let code = try #require(page.firstMatch(of: /https:\/\/go\.example\.com(\/c\/\d+)/)).1
            #expect(try await exchange.get(String(code)).body.contains("orchard://open"))
            #expect(try await exchange.get(path).status == 410)
        }
    }

    @Test func anAppThatIsOpenedByAClicksAddressGoesOnWithIt() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(
                key, Self.one.merging(["data": ["$ios_nativelink": true, "pear": "conference"]]))
            let page = try await exchange.get(path).body
            let copied = try #require(page.firstMatch(of: /data-link="([^"]+)"/)).1
            let data = try await exchange.install(key, ["local_url": .string(String(copied))], from: "198.51.100.9").data
            #expect(data["pear"] == "conference")
        }
    }

    @Test func laterItTakesAClickLikeAnyOther() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp(settings: ["ios_uri_scheme": "orchard"]).live.key.branchKey
            let path = try await exchange.createLink(key, Self.one)
            let click = try #require(try await exchange.get(path).linkClickID)
            exchange.installation.clock.advance(by: .seconds(7201))
            #expect(try await exchange.get("/c/\(click)").status == 410)
        }
    }

    @Test func theWebOnlyFormStaysSoOnTheWay() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp(settings: ["ios_uri_scheme": "orchard"]).live.key.branchKey
            let path = try await exchange.createLink(key)
            let click = try #require(try await exchange.get(path).linkClickID)
            #expect(try await !exchange.get("/e/c/\(click)").body.contains("orchard://open"))
            let page = try await exchange.get("/e" + path, userAgent: UserAgents.desktop).body
            #expect(page.contains("https://go.example.com/e\(path)"))
        }
    }
}
