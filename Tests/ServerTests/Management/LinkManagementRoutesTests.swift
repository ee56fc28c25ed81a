import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Links in the management API.
@Suite struct LinkManagementRoutesTests {
    @Test func aLinkIsCreatedShownChangedAndDeleted() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let created = try await exchange.manage(
                .post, "/api/v1/links?app=\(app.app.id)", token: token,
                [
                    "alias": "shop/pears", "channel": "mail", "tags": ["red"], "type": 2, "max_clicks": 3,
                    "data": ["variety": "Williams", "$deeplink_path": "pears/1"],
                ])
            #expect(created.status == 200)
            #expect(created.object["url"] == "https://go.example.com/shop/pears")
            #expect(created.object["app_id"]?.string == String(app.app.id.rawValue))
            #expect(created.object["mode"] == "live")
            #expect(created.object["max_clicks"] == 3)
            #expect(created.object["data"]?.object?["variety"] == "Williams")
            let path = "/api/v1/links/" + (created.object["id"]?.string ?? "")
            #expect(try await exchange.manage(.get, path, token: token).json == created.json)

            let changed = try await exchange.manage(
                .patch, path, token: token, ["channel": "sms", "max_clicks": nil, "data": ["variety": "Cox", "ripe": true]])
            #expect(changed.status == 200)
            #expect(changed.object["channel"] == "sms")
            #expect(changed.object["tags"] == ["red"])
            #expect(changed.object["max_clicks"] == nil)
            let data = changed.object["data"]?.object
            #expect(data?["variety"] == "Cox")
            #expect(data?["ripe"] == true)
            #expect(data?["$deeplink_path"] == "pears/1")

            let deleted = try await exchange.manage(.delete, path, token: token)
            #expect(deleted.object == ["url": "https://go.example.com/shop/pears", "deleted": true])
            #expect(try await exchange.get("/shop/pears").status == 404)
            #expect(try await exchange.manage(.get, path, token: token).object["deleted_at"]?.string != nil)
            #expect(try await exchange.manage(.delete, path, token: token).status == 404)
            #expect(try await exchange.manage(.patch, path, token: token, ["channel": "mail"]).status == 404)
        }
    }

    @Test(arguments: [nil, ""] as [JSON])
    func aLabelIsClearedByNullAndByAnEmptyText(empty: JSON) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let labels: JSONObject = [
                "channel": "mail", "campaign": "harvest", "feature": "sharing", "stage": "new", "tags": ["red"],
            ]
            let created = try await exchange.manage(
                .post, "/api/v1/links?app=\(app.app.id)", token: token, .object(labels))
            let path = "/api/v1/links/" + (created.object["id"]?.string ?? "")

            let one = try await exchange.manage(.patch, path, token: token, ["campaign": empty])
            #expect(one.status == 200, "\(one.body)")
            #expect(one.object["campaign"] == nil)
            #expect(one.object["channel"] == "mail")
            #expect(one.object["tags"] == ["red"])
            let cleared = labels.keys.reduce(into: JSONObject()) { $0[$1] = empty }
            let all = try await exchange.manage(.patch, path, token: token, .object(cleared))
            #expect(all.status == 200, "\(all.body)")
            #expect(try await exchange.services.links.find(created.object["id"]?.string ?? "").labels.members.isEmpty)
        }
    }

    @Test(arguments: [nil, ""] as [JSON])
    func branchsCallKeepsALabelThatIsEmpty(empty: JSON) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let link = try await exchange.createLink(
                app.live.key.branchKey, ["channel": "mail", "tags": ["red"], "data": [:]])
            let answer = try await exchange.send(
                .put, "/v1/url?url=https://go.example.com" + link,
                body: JSON.object([
                    "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret), "channel": empty,
                    "tags": nil, "campaign": "harvest",
                ]).bytes)
            #expect(answer.status == 200, "\(answer.body)")
            #expect(answer.object["channel"] == "mail")
            #expect(answer.object["tags"] == ["red"])
            #expect(answer.object["campaign"] == "harvest")
        }
    }

    @Test func aLinkThatATokenCreatesIsTheAppsOwn() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            _ = try await exchange.manage(
                .post, "/api/v1/links?app=\(app.test.key.branchKey)", token: token, ["alias": "pears"])
            let link = try await exchange.services.links.find("pears")
            #expect(link.scope == app.test.key.scope)
            #expect(link.isAuthenticated)
            #expect(link.source == .api)
        }
    }

    @Test func aRetryWithTheSameIdempotencyKeyCreatesNoSecondLink() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            func create(_ key: String) async throws -> Exchange.Answer {
                try await exchange.manage(
                    .post, "/api/v1/links?app=\(app.app.id)", token: token, ["channel": "mail"],
                    headers: [HTTPField.Name("Idempotency-Key")!: key])
            }
            let first = try await create("poster-1")
            #expect(first.status == 200)
            #expect(try await create("poster-1").json == first.json)
            #expect(try await create("poster-2").object["id"] != first.object["id"])
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 2)
            let failure = try await create(String(repeating: "x", count: 256))
            #expect(failure.status == 400)
            #expect(failure.errorMessage == "Idempotency-Key must have 1 to 255 bytes.")
        }
    }

    /// They are compared with each other, also while all other writes wait.
    @Test(arguments: ["tags", "add_tags", "remove_tags"]) func aListOfTagsHasAsManyAsALinkMayHave(member: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let link = try await exchange.manage(.post, "/api/v1/links?app=\(app.app.id)", token: token, [:])
            let path = "/api/v1/links/\(try #require(link.object["id"]?.string))"
            func change(_ count: Int) async throws -> Exchange.Answer {
                try await exchange.manage(.patch, path, token: token, [member: .array((0..<count).map { .string("\($0)") })])
            }
            #expect(try await change(64).status == 200)
            let refused = try await change(65)
            #expect(refused.status == 413)
            #expect(refused.errorMessage == "\(member) may have at most 64 values, not 65.")
        }
    }

    @Test func ofManyKeysWithoutEffectTheFirstAreNamed() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let data = JSONObject((0..<800).map { (key: "$\($0)" + String(repeating: "k", count: 60), value: JSON.integer(1)) })
            let answer = try await exchange.manage(
                .post, "/api/v1/links?app=\(app.app.id)", token: try await exchange.token(for: app), ["data": .object(data)])
            #expect(answer.status == 200, "\(answer.body)")
            let warnings = answer.object["warnings"]?.array?.compactMap(\.string) ?? []
            #expect(warnings.count == 21)
            #expect(warnings.first?.contains("has no effect but that the app gets it.") == true)
            #expect(warnings.last == "780 more of its $ keys have no effect, or values that cannot be used.")
        }
    }

    @Test func aKeyOfDataThatHasNoEffectIsWarnedOf() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let answer = try await exchange.manage(
                .post, "/api/v1/links?app=\(app.app.id)", token: token, ["data": ["$deeplink_pth": "pears/1"]])
            let warnings = answer.object["warnings"]?.array?.compactMap(\.string) ?? []
            #expect(answer.status == 200)
            #expect(warnings.contains { $0.contains("$deeplink_pth") && $0.contains("$deeplink_path") }, "\(warnings)")
        }
    }

    @Test func anAliasOfAnotherLinkIsAConflictThatNamesTheDifference() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let target = "/api/v1/links?app=\(app.app.id)"
            let first = try await exchange.manage(.post, target, token: token, ["alias": "pears", "channel": "mail"])
            let equal = try await exchange.manage(.post, target, token: token, ["alias": "pears", "channel": "mail"])
            #expect(equal.object["id"] == first.object["id"])
            let other = try await exchange.manage(.post, target, token: token, ["alias": "pears", "channel": "sms"])
            #expect(other.status == 409)
            let differences = other.object["error"]?.object?["differences"]?.object
            #expect(differences?["channel"] == ["stored": "mail", "sent": "sms"])
        }
    }

    private static let mistakes: [(method: HTTPRequest.Method, target: String, body: JSON?, says: String)] = [
        (.get, "?sort=size", nil, "sort must be one of newest, oldest, not \"size\"."),
        (.get, "?state=gone", nil, "state must be one of open, ended, archived, deleted, not \"gone\"."),
        (.get, "?limit=0", nil, "limit must be a whole number from 1 to 1000."),
        (.get, "?limit=ten", nil, "limit must be a whole number."),
        (.get, "?cursor=x", nil, "cursor must be the next_cursor of the page before."),
        (.get, "?from=soon", nil, "from"), (.get, "?from=2027-01-31&to=2027-01-01", nil, "from must be before to"),
        (.get, "?page=2", nil, "page is not a parameter of the list of links. The parameters are app, sort, cursor"),
        (.get, "?channel=a&channel=b", nil, "channel may be given once."),
        (
            .post, "", ["colour": "red"],
            "colour is not a member of a link that can be set here. These can: alias, type, domain, template, channel"
        ),
        (.post, "", ["channel": 5], "channel must be a string, not a number."), (.post, "", ["type": 7], "type must be 0"),
        (.post, "", ["expires_at": "soon"], "expires_at must be a time in ISO 8601"), (.post, "", ["alias": "v1"], "reserved"),
        (.post, "", [], "The body must be a JSON object"), (.post, "", ["domain": "elsewhere.example"], "domain must be one of"),
        (.patch, "/ID", ["alias": "plums"], "alias is not a member of a link that can be set here. These can: channel"),
        (.patch, "/ID", ["max_clicks": 0], "max_clicks"), (.patch, "/ID", ["data": "x"], "data must be an object"),
        (.get, "/ID?app=1", nil, "app is not a parameter of this call. It has none."),
        (.get, "/ID/clicks?limit=1001", nil, "limit must be a whole number from 1 to 1000."),
        (.get, "/ID/clicks?channel=mail", nil, "The parameters are visitor, from, to, cursor, limit."),
    ]

    @Test(arguments: mistakes)
    func aMistakeIsNamedWithWhatIsAllowed(method: HTTPRequest.Method, target: String, body: JSON?, says: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"])
            let id = try await exchange.services.links.find("pears").id
            var path = "/api/v1/links" + target.replacing("ID", with: "\(id)")
            if !path.contains("\(id)") { path += (path.contains("?") ? "&" : "?") + "app=\(app.app.id)" }

            let answer = try await exchange.manage(method, path, token: token, body)

            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains(says) == true, "\(answer.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 1)
        }
    }
}
