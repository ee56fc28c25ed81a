import Linden
import LindenKernel
import LindenServices
import LindenTesting
import RoutePatterns
import SQLiteStorage
import Testing

/// The validation of links whose deep link path matches no route of the app.
@Suite struct RouteValidationTests {
    private static let strayPaths: [JSONObject] = [
        ["$deeplink_path": "usr/5"], ["$ios_deeplink_path": "usr/5", "$deeplink_path": "user/5"],
        ["$android_deeplink_path": "user/5/x"], ["$deeplink_path": "/user/5"],
    ]

    @Test(arguments: strayPaths)
    func aLinkThatLeadsNowhereIsRefusedAndNothingIsWritten(data: JSONObject) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.appWithRoutes("reject")
            let answer = try await exchange.post(
                "/v1/url", ["branch_key": .string(app.live.key.branchKey), "data": .object(data), "identity": "ann"])
            #expect(answer.status == 400)
            let message = try #require(answer.errorMessage)
            #expect(message.contains("orchard://") && message.contains("user/:id"))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 0)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM identities") == 0)
        }
    }

    private static let goodPaths: [JSONObject] = [
        [:], ["$deeplink_path": ""], ["$deeplink_path": "user/5"], ["$deeplink_path": "user/a b?tab=1"],
        ["$ios_deeplink_path": "user/5", "$android_deeplink_path": "list"], ["$desktop_deeplink_path": "elsewhere"],
    ]

    @Test(arguments: goodPaths)
    func aLinkThatLeadsSomewhereOrHasNoPathIsMade(data: JSONObject) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.appWithRoutes("reject")
            _ = try await exchange.createLink(app.live.key.branchKey, ["data": .object(data)])
        }
    }

    @Test func whereNothingIsAskedForOrKnownEveryPathIsTaken() async throws {
        try await Exchange.run { exchange in
            let stray: JSONObject = ["data": ["$deeplink_path": "usr/5"]]
            // Validation is off by default, and has no effect without routes.
            for app in [
                try await exchange.appWithRoutes(nil), try await exchange.appWithRoutes("off"),
                try await exchange.appWithRoutes("reject", routes: []),
            ] {
                let answer = try await exchange.post(
                    "/v1/url", .object(stray.merging(["branch_key": .string(app.live.key.branchKey)])))
                #expect(answer.status == 200)
                #expect(answer.object["warnings"] == nil)
            }
        }
    }

    @Test func aPlatformWithoutASchemeOrWithoutRoutesIsNotAsked() async throws {
        try await Exchange.run { exchange in
            let filter = Route(id: "u", syntax: .roots, key: .iOSURL, pattern: "orchard://user/{id}", target: "Profile")
            let app = try await exchange.appWithRoutes("reject", routes: [filter])
            let key = app.live.key.branchKey
            _ = try await exchange.createLink(key, ["data": ["$deeplink_path": "user/5"]])
            _ = try await exchange.createLink(key, ["data": ["$android_deeplink_path": "anything"]])
            let refused = try await exchange.post(
                "/v1/url", ["branch_key": .string(key), "data": ["$ios_deeplink_path": "anything"]])
            #expect(refused.errorMessage?.contains("on ios;") == true)

            _ = try await exchange.services.apps.update(app.live.key.scope, settings: ["ios_uri_scheme": nil])
            _ = try await exchange.createLink(key, ["data": ["$ios_deeplink_path": "anything"]])
        }
    }

    @Test func filtersForTheWebAreNotHeldAgainstAPath() async throws {
        try await Exchange.run { exchange in
            let item = Route(id: "w", syntax: .roots, key: .webURL, pattern: "https://shop.example/item/{id}", target: "Item")
            let app = try await exchange.appWithRoutes("reject", routes: [item])
            _ = try await exchange.createLink(app.live.key.branchKey, ["data": ["$deeplink_path": "item/5"]])

            // Roots on Android matches the link's web URL.
            let user = Route(id: "u", syntax: .roots, key: .androidURL, pattern: "orchard://user/{id}", target: "User")
            _ = try await exchange.services.routes.add([user], to: app.app.id)
            let key = JSON.string(app.live.key.branchKey)
            for (url, status) in [("https://shop.example/item/5", 200), ("https://shop.example/other/5", 400)] {
                let data: JSON = ["$deeplink_path": "item/5", "$canonical_url": .string(url)]
                #expect(try await exchange.post("/v1/url", ["branch_key": key, "data": data]).status == status)
            }
        }
    }

    @Test func aRouteThatIsSwitchedOffTakesNoLink() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.appWithRoutes("reject")
            try await exchange.services.routes.set("user", of: app.app.id, isEnabled: false)
            let call: JSON = ["branch_key": .string(app.live.key.branchKey), "data": ["$deeplink_path": "user/5"]]
            let refused = try await exchange.post("/v1/url", call)
            #expect(refused.status == 400)
            #expect(refused.errorMessage?.contains("user/:id") == false)
            try await exchange.services.routes.set("user", of: app.app.id, isEnabled: true)
            #expect(try await exchange.post("/v1/url", call).status == 200)
        }
    }

    @Test func aWarnedLinkIsMadeAndItsAnswerSaysWhatIsAmiss() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.appWithRoutes("warn")
            let key = app.live.key.branchKey
            let answer = try await exchange.post("/v1/url", ["branch_key": .string(key), "data": ["$deeplink_path": "usr/5"]])
            #expect(answer.status == 200)
            #expect(answer.object["url"] != nil)
            let warnings = try #require(answer.object["warnings"]?.array)
            #expect(
                warnings == [
                    "$deeplink_path leads nowhere in the app: orchard://usr/5 matches none of its routes on ios and android; the nearest are user/:id, list."
                ])
            let good = try await exchange.post("/v1/url", ["branch_key": .string(key), "data": ["$deeplink_path": "list"]])
            #expect(good.object.keys == ["url"])
        }
    }

    @Test func inBulkOnlyTheStrayLinkIsRefusedOrWarnedOf() async throws {
        try await Exchange.run { exchange in
            let items: JSON = [["data": ["$deeplink_path": "list"]], ["data": ["$deeplink_path": "usr/5"]], [:]]
            for (validation, member) in [("reject", "error"), ("warn", "warnings")] {
                let key = try await exchange.appWithRoutes(validation).live.key.branchKey
                let answers = try await exchange.post("/v1/url/bulk/\(key)", items).json.array?.compactMap(\.object)
                #expect(answers?.map { $0[member] != nil } == [false, true, false])
                #expect(answers?.map { $0["url"] != nil } == [true, validation == "warn", true])
            }
        }
    }

    @Test func aLinkIsNotChangedToLeadNowhereButMayBeLeftSo() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.appWithRoutes("off")
            let key = app.live.key.branchKey
            let url =
                "/v1/url?url=https://go.example.com" + (try await exchange.createLink(key, ["data": ["$deeplink_path": "usr/5"]]))
            func put(_ fields: JSONObject) async throws -> Exchange.Answer {
                let secret: JSONObject = ["branch_key": .string(key), "branch_secret": .string(app.live.secret)]
                return try await exchange.put(url, .object(secret.merging(fields)))
            }
            _ = try await exchange.services.apps.update(app.live.key.scope, settings: ["routes.validation": "reject"])

            // A client may send back everything that it read.
            let whole = try await exchange.get(url + "&branch_key=\(key)").object.merging(["channel": "sms"])
            #expect(try await put(whole).object["channel"] == "sms")
            let refused = try await put(["channel": "mail", "data": ["$ios_deeplink_path": "usr/6"]])
            #expect(refused.status == 400)
            let read = try await exchange.get(url + "&branch_key=\(key)").object
            #expect(read["channel"] == "sms")
            #expect(read["data"]?.object?["$ios_deeplink_path"] == nil)
            #expect(try await put(["data": ["$deeplink_path": "list"]]).status == 200)

            _ = try await exchange.services.apps.update(app.live.key.scope, settings: ["routes.validation": "warn"])
            let warned = try await put(["data": ["$deeplink_path": "usr/7"]])
            #expect(warned.object["data"]?.object?["$deeplink_path"] == "usr/7")
            #expect(warned.object["warnings"]?.array?.count == 1)
        }
    }

    @Test func theSettingIsOneOfThreeWordsAndIsReadBack() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.appWithRoutes(nil)
            let target = "/v1/app/\(app.live.key.branchKey)"
            for (value, status) in [("warn", 200), ("on", 400), (true, 400), ("reject", 200), ("Reject", 400)] as [(JSON, Int)] {
                let answer = try await exchange.put(
                    target, ["branch_secret": .string(app.live.secret), "routes.validation": value])
                #expect(answer.status == status)
                if status == 400 { #expect(answer.errorMessage?.contains("off, warn, reject") == true) }
            }
            let read = try await exchange.get("\(target)?branch_secret=\(app.live.secret)").object
            #expect(read["routes.validation"] == "reject")
        }
    }

    @Test func aPathOfAMegabyteIsNotRepeatedWhole() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.appWithRoutes("reject").live.key.branchKey
            let path = JSON.string(String(repeating: "é", count: 200_000))
            let answer = try await exchange.post("/v1/url", ["branch_key": .string(key), "data": ["$deeplink_path": path]])
            #expect(answer.status == 413)
            #expect(answer.body.utf8.count < 1000)
        }
    }
}

extension Exchange {
    static let routes = [
        Route(id: "user", syntax: .waapp, pattern: "user/:id", target: "Profile", isModal: true, defaults: ["tab": .text("posts")]),
        Route(id: "list", syntax: .waapp, pattern: "list", target: "List"),
    ]

    /// Creates an app with routes for iOS and Android.
    func appWithRoutes(_ validation: String?, routes: [Route] = Exchange.routes) async throws -> CreatedApp {
        var settings = Installation.settings
        if let validation { settings["routes.validation"] = .string(validation) }
        let app = try await installation.createApp(settings: settings)
        _ = try await services.routes.add(routes, to: app.app.id)
        return app
    }
}
