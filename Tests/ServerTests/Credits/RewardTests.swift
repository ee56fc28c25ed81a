import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// The recipients and events of rewards.
@Suite struct RewardTests {
    @Test(arguments: [
        (RewardRule.Recipient.actor, 7 as Int64, 0 as Int64, 7 as Int64), (.referrer, 0, 7, 0), (.actorIfReferred, 7, 0, 0),
        (.both, 7, 7, 0),
    ])
    func aRuleRewardsWhomItNames(recipient: RewardRule.Recipient, brought: Int64, referrer: Int64, unreferred: Int64) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let (ann, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
            try await exchange.addRule(try NewRewardRule("install", recipient, 7), for: app)
            let bob = try await exchange.installBy(link, key, at: "198.51.100.9")
            let carol = try await exchange.installByLink(key, from: "198.51.100.10")
            let dave = try await exchange.install(key, from: "198.51.100.11").object
            #expect(try await exchange.credits(of: bob) == ["default": .integer(brought)])
            #expect(try await exchange.credits(of: ann) == ["default": .integer(referrer)])
            #expect(try await exchange.credits(of: carol) == ["default": .integer(unreferred)])
            // Any client can invent an organic install.
            #expect(try await exchange.credits(of: dave) == ["default": 0])
        }
    }

    private static let namedEvents: [(rule: String, reported: String, call: String, isRewarded: Bool)] = [
        ("purchase", "PURCHASE", "/v2/event/standard", true), ("PURCHASE", "PURCHASE", "/v2/event/standard", true),
        ("Add_To_Cart", "ADD_TO_CART", "/v2/event/standard", true), ("PURCHASE", "purchase", "/v1/event", true),
        ("purchase", "purchase", "/v1/event", true), ("plant", "plant", "/v1/event", true), ("Plant", "plant", "/v1/event", false),
        ("plant", "Plant", "/v2/event/custom", false), ("purchased", "PURCHASED", "/v2/event/custom", false),
    ]

    @Test(arguments: namedEvents)
    func aStandardEventIsRewardedInAnyCase(rule: String, reported: String, call: String, isRewarded: Bool) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let ann = try await exchange.install(key, ["identity": "ann"], from: "192.0.2.1").object
            try await exchange.addRule(try NewRewardRule(rule, .actor, 7), for: app)
            let event: JSONObject = [
                "branch_key": .string(key), "event": .string(reported), "name": .string(reported),
                "identity_id": ann["identity_id"]!,
                "user_data": ["developer_identity": "ann"],
            ]
            let answer = try await exchange.post(call, .object(event))
            #expect(answer.status == 200)
            #expect(try await exchange.credits(of: ann) == ["default": isRewarded ? 7 : 0])
        }
    }

    @Test func anEventOfANewerSDKRewardsWhoBroughtItsUser() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            try await exchange.addRule(
                try NewRewardRule("PURCHASE", .referrer, 5) { $0.filter = ["plan": "gold"] }, for: app)
            let (ann, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
            let bob = try await exchange.installBy(link, key, at: "198.51.100.9")
            for plan: JSON in ["silver", "gold"] {
                _ = try await exchange.post(
                    "/v2/event/standard",
                    [
                        "branch_key": .string(key), "name": "PURCHASE", "custom_data": ["plan": plan],
                        "user_data": ["randomized_device_token": bob["randomized_device_token"]!],
                    ])
            }
            #expect(try await exchange.credits(of: ann) == ["default": 5])
            let history = try await exchange.history(of: ann, key)
            // Its data is about Bob.
            #expect(history.first?["event"] == ["name": "PURCHASE", "metadata": [:]])
        }
    }

    /// Bounds large metadata: the smallest members come first, also for a held reward.
    @Test(arguments: [false, true]) func aHistoryShowsABoundedPartOfAnEventsMetadata(isHeld: Bool) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(isHeld ? ["fraud.rewards_per_address": "1"] : [:]))
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            let ann = try await exchange.install(key, ["identity": "ann"], from: "192.0.2.1").object
            try await exchange.addRule(try NewRewardRule("plant", .actor, 7), for: app)
            let large = JSON.string(String(repeating: "x", count: 500_000))
            // Few bytes, but many values, each of which takes time to be read.
            let deep = JSON.array(Array(repeating: [], count: 100))
            for _ in 0..<2 {
                _ = try await exchange.post(
                    "/v1/event",
                    [
                        "branch_key": .string(key), "event": "plant", "identity_id": ann["identity_id"]!,
                        "metadata": ["text": large, "plan": "gold", "deep": deep],
                    ])
            }
            for held in try await exchange.services.heldRewards.list(scope, limit: 9).map(\.held) {
                _ = try await exchange.services.heldRewards.release(held.id, of: scope)
            }
            let history = try await exchange.history(of: ann, key)
            #expect(history.map { $0["event"] } == Array(repeating: ["name": "plant", "metadata": ["plan": "gold"]], count: 2))
        }
    }

    @Test func anEventEarnsForWhoBroughtItsSession() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["click_conversion_window_days": "7"]))
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("play", .referrer, 1), for: app)
            let (ann, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
            let bob = try await exchange.installBy(link, key, at: "198.51.100.9")
            let carol = try await exchange.install(key, from: "198.51.100.77").object
            exchange.installation.clock.advance(by: .seconds(86400))
            let tokens: JSONObject = [
                "branch_key": .string(key), "identity_id": bob["identity_id"]!,
                "device_fingerprint_id": bob["device_fingerprint_id"]!,
            ]
            let organic = try await exchange.post("/v1/open", .object(tokens), from: "198.51.100.9").object
            func play(_ user: JSONObject, in session: JSON?) async throws -> JSON? {
                var event: JSONObject = ["branch_key": .string(key), "event": "play", "identity_id": user["identity_id"]!]
                if let session { event["session_id"] = session }
                _ = try await exchange.post("/v1/event", .object(event))
                return try await exchange.credits(of: ann)["default"]
            }
            #expect(try await play(bob, in: organic["session_id"]) == 0)
            #expect(try await play(carol, in: bob["session_id"]) == 0)
            #expect(try await play(bob, in: bob["session_id"]) == 1)
            #expect(try await play(bob, in: nil) == 2)
            exchange.installation.clock.advance(by: .seconds(6 * 86400))
            #expect(try await play(bob, in: nil) == 2)
        }
    }

    @Test func anEventThatIsCalledInstallIsNone() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let ann = try await exchange.install(key).object
            try await exchange.addRule(try NewRewardRule("install", .actor, 5), for: app)
            _ = try await exchange.post(
                "/v1/event", ["branch_key": .string(key), "event": "install", "identity_id": ann["identity_id"]!])
            #expect(try await exchange.credits(of: ann) == ["default": 0])
        }
    }

    @Test func rewardsThatEndAreSpentFirstAndTakenBackInTime() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("install", .actor, 10) { $0.daysValid = 2 }, for: app)
            let ann = try await exchange.installByLink(key)
            let holder = AccountReference.tokens(
                UserTokens(identity: exchange.services.publicIDs.id(for: ann["identity_id"]!.string!)))
            _ = try await exchange.services.credits.grant(
                CreditGrant(holder: holder, amount: try CreditAmount(3)), RequestedCause(.operator), try CreditCall(),
                in: app.live.key.scope)
            let redeem: JSONObject = ["branch_key": .string(key), "identity_id": ann["identity_id"]!]
            #expect(try await exchange.post("/v1/redeem", .object(redeem.merging(["amount": 4]))).status == 200)
            exchange.installation.clock.advance(by: .seconds(2 * 86400))
            // Expired credits cannot be spent, whether or not they were already removed.
            #expect(try await exchange.post("/v1/redeem", .object(redeem.merging(["amount": 4]))).status == 402)
            try await exchange.services.maintenance.runOnce()
            #expect(try await exchange.credits(of: ann) == ["default": 3])
            #expect(try await exchange.history(of: ann, key).map { $0["transaction"]?.object?["amount"] } == [-6, -4, 3, 10])
            try await exchange.expectBooksAreRight()
        }
    }

    @Test(arguments: [false, true])
    func anAnonymousUsersCreditsGoAlongOnlyIfTheAppWantsIt(merges: Bool) async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["credits.merge_on_login": merges ? "true" : "false"])
            let app = try await exchange.installation.createApp(settings: settings)
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("install", .actor, 10), for: app)
            _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": 1])
            let anonymous = try await exchange.installByLink(key)
            let ann = try await exchange.post(
                "/v1/profile",
                [
                    "branch_key": .string(key), "identity": "ann", "identity_id": anonymous["identity_id"]!,
                    "device_fingerprint_id": anonymous["device_fingerprint_id"]!,
                ]
            ).object
            #expect(ann["identity_id"] != anonymous["identity_id"])
            #expect(try await exchange.credits(of: ann) == ["default": merges ? 11 : 1])
            #expect(try await exchange.credits(of: anonymous) == ["default": merges ? 0 : 10])
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func aPausedOrRemovedRuleGivesNoRewards() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let scope = app.live.key.scope
            let rule = try await exchange.services.rewards.add(try NewRewardRule("install", .actor, 5), to: scope, try CreditCall())
            for (change, expected) in [
                ({ try await exchange.services.rewards.set(rule.id, of: scope, isPaused: true) }, 0),
                ({ try await exchange.services.rewards.set(rule.id, of: scope, isPaused: false) }, 5),
                ({ try await exchange.services.rewards.remove(rule.id, from: scope) }, 0),
            ] as [(() async throws -> Void, JSON)] {
                try await change()
                let user = try await exchange.installByLink(app.live.key.branchKey)
                #expect(try await exchange.credits(of: user)["default"] == expected)
            }
        }
    }
}
