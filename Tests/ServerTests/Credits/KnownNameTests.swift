import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// What a stranger with the public key can do who knows a user's name.
@Suite struct KnownNameTests {
    /// Ann brings Bob, who is named. Mallory installs in Bob's name by her own link, on a phone that is made up.
    private struct Scene {
        let key: String
        let bob: JSONObject
    }

    private static func run(
        _ settings: JSONObject = [:], _ body: @escaping @Sendable (Exchange, CreatedApp, Scene) async throws -> Void
    ) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(settings: Installation.settings.merging(settings))
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("PURCHASE", .referrer, 5), for: app)
            let (_, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
            let bob = try await exchange.installBy(
                link, key, ["identity": "bob", "hardware_id": "bobs-phone", "is_hardware_id_real": true], at: "198.51.100.9")
            let (_, bait) = try await exchange.friend(named: "mallory", of: key, at: "192.0.2.66")
            let madeUp = try await exchange.install(
                key, ["identity": "bob", "universal_link_url": .string("https://go.example.com" + bait)], from: "192.0.2.67")
            try #require(madeUp.status == 200, "\(madeUp.body)")
            try await body(exchange, app, Scene(key: key, bob: bob))
        }
    }

    @Test(arguments: ["branch", "strict"]) func aPurchaseRewardsWhoBroughtTheUserNotWhoKnowsTheName(security: String) async throws {
        try await Self.run { exchange, app, scene in
            _ = try await exchange.services.apps.update(app.live.key.scope, settings: ["security": .string(security)])
            for user: JSONObject in [
                ["randomized_device_token": scene.bob["randomized_device_token"]!], ["developer_identity": "bob"],
            ] {
                let answer = try await exchange.post(
                    "/v2/event/standard",
                    ["branch_key": .string(scene.key), "name": "PURCHASE", "user_data": .object(user.merging(["os": "iOS"]))])
                #expect(answer.status == 200, "\(answer.body)")
            }
            #expect(try await exchange.balance(of: "ann") == 10)
            #expect(try await exchange.balance(of: "mallory") == 0)
        }
    }

    @Test func aMadeUpDeviceInAUsersNameIsNoReferral() async throws {
        try await Self.run { exchange, _, _ async throws in
            #expect(try await exchange.rows("SELECT COUNT(*) FROM referrals") == 1)
            #expect(
                try await exchange.rows(
                    """
                    SELECT COUNT(*) FROM referrals JOIN identities ON identities.id = referrals.referring_identity_id
                    WHERE developer_identity = 'ann'
                    """) == 1)
        }
    }

    @Test func inStrictModeASessionDoesNotTellWhoSharedItsLink() async throws {
        for (settings, name) in [([:], "ann"), (["security": "strict"], nil)] as [(JSONObject, String?)] {
            try await Exchange.run { exchange in
                let app = try await exchange.installation.createApp(settings: Installation.settings.merging(settings))
                let key = app.live.key.branchKey
                let (_, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
                let opened = try await exchange.post(
                    "/v1/open",
                    [
                        "branch_key": .string(key), "sdk": "web2.85.0", "os": "iOS",
                        "universal_link_url": .string("https://go.example.com" + link),
                    ])
                #expect(opened.status == 200, "\(opened.body)")
                #expect(opened.object["referring_identity"]?.string == name)
            }
        }
    }

    @Test(arguments: [false, true]) func inStrictModeALoginByNameTellsNothingOfTheUsersLinks(isStrict: Bool) async throws {
        try await Self.run(isStrict ? ["security": "strict"] : [:]) { exchange, _, scene in
            func login(_ fields: JSONObject) async throws -> JSONObject {
                try await exchange.post(
                    "/v1/profile", .object(fields.merging(["branch_key": .string(scene.key), "identity": "bob"]))
                ).object
            }
            let stranger = try await login([:])
            #expect((stranger["referring_data"] == nil) == isStrict)
            let own = try await login(
                ["identity_id": scene.bob["identity_id"]!, "device_fingerprint_id": scene.bob["device_fingerprint_id"]!])
            #expect(own["referring_data"]?.string?.contains("apples/cox") == true)
        }
    }

    @Test(arguments: [false, true]) func inStrictModeASessionInAUsersNameChangesNoTouchOfTheUser(isStrict: Bool) async throws {
        try await Self.run(isStrict ? ["security": "strict"] : [:]) { exchange, _, _ in
            let touches = try await exchange.rows(
                """
                SELECT COUNT(*) FROM devices JOIN identities ON identities.id = identity_id
                WHERE developer_identity = 'bob' AND hardware_id = 'bobs-phone' AND devices.last_click_id = identities.last_click_id
                """)
            #expect(touches == (isStrict ? 1 : 0))
        }
    }

    @Test(arguments: ["branch", "strict"]) func aNameThatAStrangerUsedFirstEarnsNoMoreThanADayAllows(security: String) async throws
    {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["security": .string(security), RewardLimits.perDaySetting: "3"]))
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("PURCHASE", .referrer, 5), for: app)
            let (_, bait) = try await exchange.friend(named: "mallory", of: key, at: "192.0.2.66")
            for user in 0..<6 {
                let madeUp = try await exchange.install(
                    key, ["identity": .string("user\(user)"), "universal_link_url": .string("https://go.example.com" + bait)],
                    from: "192.0.2.67")
                #expect(madeUp.status == 200)
                let reported = try await exchange.post(
                    "/v2/event/standard",
                    [
                        "branch_key": .string(key), "branch_secret": .string(app.live.secret), "name": "PURCHASE",
                        "user_data": ["developer_identity": .string("user\(user)")],
                    ])
                #expect(reported.status == 200, "\(reported.body)")
            }
            #expect(try await exchange.rows("SELECT CAST(COALESCE(SUM(balance), 0) AS BIGINT) FROM credit_accounts") == 15)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM held_rewards") == 3)
        }
    }

    @Test func inStrictModeAnAliasDoesNotTellWhoseLinkItIs() async throws {
        for (security, isNamed) in [("branch", true), ("strict", false)] {
            try await Exchange.run { exchange in
                let app = try await exchange.installation.createApp(
                    settings: Installation.settings.merging(["security": .string(security)]))
                let key = app.live.key.branchKey
                let (ann, _) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
                _ = try await exchange.install(key, ["identity": "bob"], from: "198.51.100.9")
                _ = try await exchange.createLink(key, ["identity_id": ann["identity_id"]!, "alias": "invite"])
                var named: [Bool] = []
                for name in ["ann", "bob"] {
                    let answer = try await exchange.post(
                        "/v1/url",
                        ["branch_key": .string(key), "alias": "invite", "identity": .string(name), "data": ["variety": "Cox"]])
                    #expect(answer.status == 409, "\(answer.body)")
                    named.append(answer.object["error"]?.object?["differences"]?.object?["identity"] != nil)
                }
                #expect(named == (isNamed ? [false, true] : [true, true]))
            }
        }
    }

    @Test func inStrictModeADeviceInTheSharersNameIsNoSelfReferral() async throws {
        for (security, reward) in [("branch", 0), ("strict", 5)] as [(String, Int64)] {
            try await Exchange.run { exchange in
                let app = try await exchange.installation.createApp(
                    settings: Installation.settings.merging(["security": .string(security)]))
                let key = app.live.key.branchKey
                try await exchange.addRule(try NewRewardRule("install", .referrer, 5), for: app)
                let (_, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
                // A stranger logs in by Ann's name where Bob then installs the app by her link.
                _ = try await exchange.install(key, ["identity": "ann"], from: "198.51.100.9")
                _ = try await exchange.installBy(link, key, ["identity": "bob", "model": "iPhone15,2"], at: "198.51.100.9")
                #expect(try await exchange.balance(of: "ann") == reward)
            }
        }
    }

    @Test func aLinkClaimsNeitherAPhoneNumberNorAPageBefore() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let claims: JSON = ["+phone_number": "+49151", "+referrer": "https://bank.example/", "variety": "Cox"]
            let link = try await exchange.createLink(key, ["data": claims])
            let click = try #require(try await exchange.get(link, from: "192.0.2.9").linkClickID)
            let data = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.9").data
            #expect(data["variety"] == "Cox")
            #expect(data["+phone_number"] == nil && data["+referrer"] == nil, "\(data)")
        }
    }

    @Test func theFirstDeviceOfAUserStaysTheFirst() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("PURCHASE", .referrer, 5), for: app)
            let (_, bait) = try await exchange.friend(named: "mallory", of: key, at: "192.0.2.66")
            // A device of the stranger's that is older than the user's.
            let old = try await exchange.install(key, from: "192.0.2.67").object
            let (_, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
            _ = try await exchange.installBy(link, key, ["identity": "bob"], at: "198.51.100.9")
            let login = try await exchange.post(
                "/v1/profile",
                ["branch_key": .string(key), "identity": "bob", "device_fingerprint_id": old["device_fingerprint_id"]!])
            #expect(login.status == 200)
            _ = try await exchange.post(
                "/v1/open",
                [
                    "branch_key": .string(key), "os": "iOS", "device_fingerprint_id": old["device_fingerprint_id"]!,
                    "universal_link_url": .string("https://go.example.com" + bait),
                ])
            _ = try await exchange.post(
                "/v2/event/standard",
                [
                    "branch_key": .string(key), "branch_secret": .string(app.live.secret), "name": "PURCHASE",
                    "user_data": ["developer_identity": "bob"],
                ])
            #expect(try await exchange.balance(of: "ann") == 5)
            #expect(try await exchange.balance(of: "mallory") == 0)
        }
    }

    @Test(arguments: ["branch", "strict"]) func aStrangersOpenDoesNotReplaceTheUsersFirstParameters(security: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["security": .string(security)]))
            let key = app.live.key.branchKey
            let bob = try await exchange.install(key, ["identity": "bob"], from: "198.51.100.9").object
            let (_, bait) = try await exchange.friend(named: "mallory", of: key, at: "192.0.2.66")
            let opened = try await exchange.post(
                "/v1/open",
                [
                    "branch_key": .string(key), "os": "iOS", "identity": "bob", "is_referrable": 1,
                    "universal_link_url": .string("https://go.example.com" + bait),
                ])
            #expect(opened.status == 200)
            let own = try await exchange.post(
                "/v1/profile",
                ["branch_key": .string(key), "identity": "bob", "device_fingerprint_id": bob["device_fingerprint_id"]!]
            ).object
            #expect(own["referring_data"]?.string?.contains("apples/cox") == false)
        }
    }

    @Test(arguments: [false, true]) func inStrictModeACreditHistoryNamesNoOtherUser(isStrict: Bool) async throws {
        try await Exchange.run { exchange in
            let settings: JSONObject = isStrict ? ["security": "strict"] : [:]
            let app = try await exchange.installation.createApp(settings: Installation.settings.merging(settings))
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("install", .both, 10), for: app)
            let (_, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
            let stranger = try await exchange.installBy(link, key, at: "198.51.100.9")
            let history = try await exchange.history(of: stranger, key)
            #expect(history.count == 1)
            #expect(history.first?["referrer"] == (isStrict ? .null : "ann"))
        }
    }
}
