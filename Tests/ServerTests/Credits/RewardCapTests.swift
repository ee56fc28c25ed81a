import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// Caps, repeats and self-referral: what is rewarded once or not at all.
@Suite struct RewardCapTests {
    @Test func aRetriedEventRewardsOnce() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("purchase", .actor, 5), for: app)
            let ann = try await exchange.install(key).object
            let event: JSONObject = [
                "branch_key": .string(key), "event": "purchase", "identity_id": ann["identity_id"]!, "retryNumber": 0,
            ]
            for number: JSON in [0, 1, 2] {
                _ = try await exchange.post("/v1/event", .object(event.merging(["retryNumber": number])))
            }
            #expect(try await exchange.credits(of: ann) == ["default": 5])
        }
    }

    @Test func reinstallingEarnsNothingTwice() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("install", .both, 5), for: app)
            let (ann, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
            let phone: JSONObject = ["hardware_id": "B1", "is_hardware_id_real": true]
            for _ in 1...3 { _ = try await exchange.installBy(link, key, phone, at: "198.51.100.9") }
            #expect(try await exchange.credits(of: ann) == ["default": 5])
        }
    }

    @Test func capsHold() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            try await exchange.addRule(
                try NewRewardRule("play", .actor, 1) { $0.caps = RewardCaps(perDay: 2, perUser: 5) }, for: app)
            let ann = try await exchange.install(key).object
            for expected: JSON in [2, 4, 5, 5] {
                for _ in 1...3 {
                    _ = try await exchange.post(
                        "/v1/event", ["branch_key": .string(key), "event": "play", "identity_id": ann["identity_id"]!])
                }
                #expect(try await exchange.credits(of: ann)["default"] == expected)
                exchange.installation.clock.advance(by: .seconds(86400))
            }
        }
    }

    @Test func theFirstTimeIsTheFirstOfTheUserAndOfTheDevice() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("play", .actor, 1) { $0.isFirstOnly = true }, for: app)
            let ann = try await exchange.install(key, ["identity": "ann"]).object
            func play(_ user: JSONObject) async throws {
                _ = try await exchange.post(
                    "/v1/event",
                    [
                        "branch_key": .string(key), "event": "play", "identity_id": user["identity_id"]!,
                        "device_fingerprint_id": user["device_fingerprint_id"]!,
                    ])
            }
            try await play(ann)
            try await play(ann)
            let tokens: JSONObject = [
                "branch_key": .string(key), "device_fingerprint_id": ann["device_fingerprint_id"]!,
                "identity_id": ann["identity_id"]!,
            ]
            let anonymous = try await exchange.post("/v1/logout", .object(tokens)).object
            try await play(anonymous)
            // Omitting the device makes no difference.
            _ = try await exchange.post(
                "/v1/event", ["branch_key": .string(key), "event": "play", "identity_id": anonymous["identity_id"]!])
            #expect(try await exchange.credits(of: ann) == ["default": 1])
            #expect(try await exchange.credits(of: anonymous) == ["default": 0])
        }
    }

    @Test func aCapHoldsThroughALogin() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["credits.merge_on_login": "true"]))
            let key = app.live.key.branchKey
            try await exchange.addRule(
                try NewRewardRule("play", .actor, 1) { $0.caps = RewardCaps(perDay: 3, perUser: 3) }, for: app)
            _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": 1])
            func play(_ user: JSONObject) async throws {
                _ = try await exchange.post(
                    "/v1/event", ["branch_key": .string(key), "event": "play", "identity_id": user["identity_id"]!])
            }
            let anonymous = try await exchange.install(key).object
            for _ in 1...2 { try await play(anonymous) }
            let ann = try await exchange.post(
                "/v1/profile",
                [
                    "branch_key": .string(key), "identity": "ann", "identity_id": anonymous["identity_id"]!,
                    "device_fingerprint_id": anonymous["device_fingerprint_id"]!,
                ]
            ).object
            for _ in 1...3 { try await play(ann) }
            #expect(try await exchange.credits(of: ann) == ["default": 4])
        }
    }

    @Test func selfReferralEarnsNothing() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("open", .both, 7), for: app)
            try await exchange.addRule(try NewRewardRule("install", .both, 7), for: app)
            let phone: JSONObject = ["hardware_id": "A1", "is_hardware_id_real": true]
            let ann = try await exchange.install(
                key, phone.merging(["identity": "ann", "sdk": "ios1.30.0"]), from: "192.0.2.1"
            ).object
            let link = try await exchange.createLink(key, ["identity_id": ann["identity_id"]!])
            let tokens: JSONObject = [
                "branch_key": .string(key), "identity_id": ann["identity_id"]!,
                "device_fingerprint_id": ann["device_fingerprint_id"]!,
            ]

            // The same identity: the user's own link on the user's own phone.
            let click = try #require(try await exchange.get(link, from: "192.0.2.1").linkClickID)
            _ = try await exchange.post("/v1/open", .object(tokens.merging(["link_identifier": .string(click)])))
            // The same device: another user on the phone, days later.
            let stranger = try await exchange.post("/v1/logout", .object(tokens)).object
            exchange.installation.clock.advance(by: .seconds(3 * 86400))
            let later = try #require(try await exchange.get(link, from: "192.0.2.77").linkClickID)
            let open: JSONObject = [
                "branch_key": .string(key), "identity_id": stranger["identity_id"]!,
                "device_fingerprint_id": stranger["device_fingerprint_id"]!, "link_identifier": .string(later),
            ]
            _ = try await exchange.post("/v1/open", .object(open), from: "192.0.2.77")
            // The same address: another phone at the address of the user's a moment ago.
            _ = try await exchange.post("/v1/profile", .object(tokens.merging(["identity": "ann"])))
            _ = try await exchange.post("/v1/open", .object(tokens), from: "192.0.2.1")
            _ = try await exchange.installBy(link, key, at: "192.0.2.1")

            #expect(try await exchange.rows("SELECT COUNT(*) FROM sessions WHERE referring_identity_id IS NOT NULL") >= 2)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM credit_transactions") == 0)
        }
    }
}
