import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct LinkRoutesTests {
    @Test func aLinkIsReadBackAsItWasMinted() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data = try JSON.parse(
                #"""
                {"$deeplink_path":"a/b","$email_subject":"Hi","$email_html_header":"<b>","nothing":null,"price":1.50,"big":9007199254740993,
                "at":"2027-01-01T00:00:00+01:00","nested":{"list":[1,"2",{"three":false}]},"url":"mine","$one_time_use":"true"}
                """#)
            let path = try await exchange.createLink(
                key, ["alias": "shop/pears", "channel": "mail", "tags": ["a", "b"], "data": data])
            #expect(path == "/shop/pears")

            let answer = try await exchange.get("/v1/url?branch_key=\(key)&url=https%3A%2F%2Fgo.example.com/shop/pears")

            #expect(answer.status == 200)
            #expect(answer.object["channel"] == "mail")
            #expect(answer.object["tags"] == ["a", "b"])
            #expect(answer.object["alias"] == "shop/pears")
            #expect(answer.object["type"] == 0)
            #expect(answer.object["feature"] == nil)
            let read = try #require(answer.object["data"]?.object)
            for (key, value) in try #require(data.object) { #expect(read[key] == value, "\(key)") }
            #expect(read["~channel"] == "mail")
            #expect(read["~tags"] == ["a", "b"])
            #expect(read["+url"] == "https://go.example.com/shop/pears")
            #expect(read["~id"]?.string?.count == 18)
            #expect(answer.body.contains("1.50"))
        }
    }

    @Test func dataMayBeTextThatHoldsAnObject() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": #"{"variety":"Cox"}"#])
            let answer = try await exchange.get("/v1/url?branch_key=\(key)&url=https://go.example.com\(path)")
            #expect(answer.object["data"]?.object?["variety"] == "Cox")
            #expect(answer.object["alias"] == .some(.null))
        }
    }

    @Test func anAliasThatIsTakenByTheSameLinkGivesThatLink() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let fields: JSONObject = ["alias": "pears", "channel": "mail", "data": ["a": 1, "b": ["c": 2]]]
            let first = try await exchange.createLink(key, fields)
            let again = try await exchange.createLink(
                key, ["data": #"{"b":{"c":2},"a":1}"#, "channel": "mail", "alias": "pears", "type": 0])
            #expect(first == again)
        }
    }

    @Test func anAliasThatIsTakenByAnotherLinkIsAConflictThatNamesTheDifference() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.createLink(key, ["alias": "pears", "channel": "mail", "data": ["a": 1]])

            let answer = try await exchange.post(
                "/v1/url", ["branch_key": .string(key), "alias": "pears", "channel": "sms", "data": ["a": 2]])

            #expect(answer.status == 409)
            #expect(answer.errorCode == 409)
            #expect(answer.errorMessage == "Link alias conflict: go.example.com/pears")
            let differences = answer.object["error"]?.object?["differences"]?.object
            #expect(differences?["channel"] == ["stored": "mail", "sent": "sms"])
            #expect(differences?["data.a"] == ["stored": 1, "sent": 2])
        }
    }

    @Test func anotherAppsAliasIsAConflictThatTellsNothingOfItsData() async throws {
        try await Exchange.run { exchange in
            let mine = try await exchange.installation.createApp("Mine").live.key.branchKey
            let theirs = try await exchange.installation.createApp("Theirs").live.key.branchKey
            _ = try await exchange.createLink(theirs, ["alias": "pears", "data": ["secret": "x"]])
            let answer = try await exchange.post("/v1/url", ["branch_key": .string(mine), "alias": "pears"])
            #expect(answer.status == 409)
            #expect(!answer.body.contains("secret"))
        }
    }

    @Test func anUpdateMergesDataAndReplacesLabels() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey, ["channel": "mail", "data": ["a": 1, "b": 2]])

            let answer = try await exchange.put(
                "/v1/url?url=https://go.example.com\(path)",
                [
                    "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret), "channel": "sms",
                    "data": ["b": 3, "c": 4], "alias": "ignored", "type": 2,
                ])

            #expect(answer.status == 200)
            #expect(answer.object["channel"] == "sms")
            #expect(answer.object["type"] == 0)
            let data = answer.object["data"]?.object
            #expect(data?["a"] == 1)
            #expect(data?["b"] == 3)
            #expect(data?["c"] == 4)
            #expect(data?["~channel"] == "sms")
        }
    }

    @Test func anUpdateNeedsTheSecret() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            for secret in [JSON.null, "secret_live_wrong"] {
                let answer = try await exchange.put(
                    "/v1/url?url=https://go.example.com\(path)",
                    ["branch_key": .string(key), "branch_secret": secret, "channel": "x"])
                #expect(answer.status == 400)
            }
        }
    }

    @Test func aLinkIsDeletedWithKeyAndSecretAndLeadsNowhereAfterwards() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let path = try await exchange.createLink(key, ["alias": "pears"])
            let url = "https://go.example.com\(path)"

            let answer = try await exchange.send(
                .delete, "/v1/url?url=\(url)",
                body: (["branch_key": .string(key), "branch_secret": .string(app.live.secret)] as JSON).bytes)

            #expect(answer.object == ["url": .string(url), "deleted": true])
            #expect(try await exchange.get(path).status == 404)
            #expect(try await exchange.get("/v1/url?branch_key=\(key)&url=\(url)").status == 404)
            let again = try await exchange.post("/v1/url", ["branch_key": .string(key), "alias": "pears"])
            #expect(again.status == 409)
        }
    }

    @Test(arguments: ["Access-Token", "Authorization"])
    func aLinkIsDeletedWithAnAccessToken(header: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey)
            let (_, token) = try await exchange.services.tokens.create(name: "ci", role: .admin, app: nil)
            let (_, analyst) = try await exchange.services.tokens.create(name: "eyes", role: .analyst, app: nil)
            let target = "/v1/url?url=https://go.example.com\(path)&app_id=\(app.app.id)"
            func delete(_ token: String) async throws -> Exchange.Answer {
                let value = header == "Authorization" ? "Bearer " + token : token
                return try await exchange.send(.delete, target, headers: [HTTPField.Name(header)!: value])
            }

            #expect(try await delete("linden_wrong").status == 401)
            #expect(try await delete(analyst).status == 403)
            #expect(try await delete(token).object["deleted"] == true)
        }
    }

    @Test func inBulkEachLinkSucceedsOrFailsByItself() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey

            let answer = try await exchange.post(
                "/v1/url/bulk/\(key)", [["channel": "a"], ["alias": "v1/x"], 5, ["alias": "pears"], ["type": 7]])

            #expect(answer.status == 200)
            let items = try #require(answer.json.array).map { $0.object ?? [:] }
            #expect(items.count == 5)
            #expect(items[0]["url"] != nil)
            #expect(items[1]["error"]?.string?.contains("reserved") == true)
            #expect(items[2]["error"]?.string?.contains("object") == true)
            #expect(items[3]["url"] == "https://go.example.com/pears")
            #expect(items[4]["error"]?.string?.contains("type") == true)
        }
    }

    @Test func anEmptyBulkIsAnsweredAsBranchDoes() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post("/v1/url/bulk/\(key)", [])
            #expect(answer.status == 400)
            #expect(answer.body == "[]")
        }
    }

    @Test func aBulkOfMoreThanAHundredKilobytesIsRefusedWhole() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let long = JSON.string(String(repeating: "x", count: 101 * 1024))
            let answer = try await exchange.post("/v1/url/bulk/\(key)", [["alias": "pears"], ["data": ["long": long]]])
            #expect(answer.status == 413)
            #expect(answer.errorCode == 413)
            #expect(try await exchange.get("/pears").status == 404)
        }
    }

    @Test func linksOfTheTestKeyLieApart() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.test.key.branchKey)
            let url = "https://go.example.com\(path)"
            #expect(try await exchange.get("/v1/url?branch_key=\(app.test.key.branchKey)&url=\(url)").status == 200)
            #expect(try await exchange.get("/v1/url?branch_key=\(app.live.key.branchKey)&url=\(url)").status == 404)
        }
    }

    @Test func aDomainsLinksLieOnThatDomainAlone() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: "Links.Orchard.example")
            let answer = try await exchange.post("/v1/url", ["branch_key": .string(app.live.key.branchKey), "alias": "pears"])
            #expect(answer.object["url"] == "https://links.orchard.example/pears")
            #expect(try await exchange.get("/pears", host: "links.orchard.example:8443").status == 200)
            #expect(try await exchange.get("/pears").status == 404)
        }
    }
}
