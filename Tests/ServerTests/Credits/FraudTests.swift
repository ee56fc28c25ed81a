import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// Rewards with fraud signals.
@Suite struct FraudTests {
    private static let signs: [(setting: (String, JSON), device: JSONObject, address: String, wait: Int, word: String)] = [
        (("fraud.installs_per_address", "1"), [:], "192.0.2.50", 60, "address"),
        (("fraud.installs_per_model", "1"), ["model": "Pixel 8"], "192.0.2.51", 60, "model"),
        (("fraud.seconds_after_click", "10"), [:], "192.0.2.52", 3, "3 seconds after"),
        (("fraud.emulators", "true"), ["model": "sdk_gphone64_x86_64"], "192.0.2.53", 60, "emulator"),
    ]

    @Test(arguments: signs.indices)
    func theRewardsOfAFlaggedInstallWaitForTheOperator(index: Int) async throws {
        let sign = Self.signs[index]
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(JSONObject([(key: sign.setting.0, value: sign.setting.1)])))
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            try await exchange.addRule(try NewRewardRule("install", .both, 10), for: app)
            let (ann, link) = try await exchange.friend(named: "ann", of: key, at: "203.0.113.99")
            // An install without fraud signals, which counts towards the limits of the next.
            _ = try await exchange.install(key, ["model": "Pixel 8"], from: "192.0.2.50")

            let click = try #require(try await exchange.get(link, from: sign.address).linkClickID)
            exchange.installation.clock.advance(by: .seconds(sign.wait))
            let bob = try await exchange.install(
                key, sign.device.merging(["link_identifier": .string(click)]), from: sign.address
            ).object
            #expect(try await exchange.credits(of: bob) == ["default": 0])
            let held = try await exchange.services.heldRewards.list(scope, limit: 10).map(\.held)
            try #require(held.count == 2)
            #expect(held[0].reasons.first?.contains(sign.word) == true, "\(held[0].reasons)")

            _ = try await exchange.services.heldRewards.release(held[0].id, of: scope)
            try await exchange.services.heldRewards.refuse(held[1].id, of: scope)
            #expect(try await exchange.credits(of: bob) == ["default": 10])
            #expect(try await exchange.credits(of: ann) == ["default": 0])
            #expect(try await exchange.services.heldRewards.list(scope, limit: 10).isEmpty)
            await #expect(throws: Failure.self) {
                _ = try await exchange.services.heldRewards.release(held[0].id, of: scope)
            }
            try await exchange.expectBooksAreRight()
        }
    }

    /// A couple at home, or one person with two phones: the operator decides.
    @Test(arguments: [false, true])
    func whoIsBroughtFromTheReferrersAddressWaitsOrCountsAsHimself(isHeld: Bool) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(isHeld ? ["fraud.self_referral": "true"] : [:]))
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            try await exchange.addRule(try NewRewardRule("install", .referrer, 10), for: app)
            let (ann, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.50")
            // Logging out of the referrer's phone makes no difference.
            _ = try await exchange.post(
                "/v1/logout",
                .object(
                    ann.filter { key, _ in ["identity_id", "device_fingerprint_id", "session_id"].contains(key) }
                        .merging(["branch_key": .string(key)])), from: "192.0.2.50")
            _ = try await exchange.installBy(link, key, at: "192.0.2.50")
            let held = try await exchange.services.heldRewards.list(scope, limit: 10).map(\.held)
            #expect(held.map(\.reasons) == (isHeld ? [["It came from where the user who refers it had just been."]] : []))
            #expect(try await exchange.credits(of: ann) == ["default": 0])
        }
    }

    @Test func bothWhomARuleRewardsAreReleasedEachByHimself() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.emulators": "true"]))
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            try await exchange.addRule(try NewRewardRule("install", .both, 10) { $0.isFirstOnly = true }, for: app)
            let (ann, link) = try await exchange.friend(named: "ann", of: key, at: "203.0.113.99")
            let bob = try await exchange.installBy(link, key, ["model": "x86_64"], at: "192.0.2.50")
            for (held, _, _) in try await exchange.services.heldRewards.list(scope, limit: 10) {
                _ = try await exchange.services.heldRewards.release(held.id, of: scope)
            }
            #expect(try await exchange.credits(of: ann) == ["default": 10])
            #expect(try await exchange.credits(of: bob) == ["default": 10])
        }
    }

    @Test func whatHappensOnceIsHeldBackOnceWhateverTheOperatorDecides() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.emulators": "true"]))
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            try await exchange.addRule(try NewRewardRule("play", .both, 10) { $0.isFirstOnly = true }, for: app)
            let (ann, link) = try await exchange.friend(named: "ann", of: key, at: "203.0.113.99")
            let bob = try await exchange.installBy(link, key, ["model": "x86_64"], at: "192.0.2.50")
            let play: JSONObject = ["branch_key": .string(key), "event": "play", "identity_id": bob["identity_id"]!]
            let held = exchange.services.heldRewards
            for decision in 1...4 {
                _ = try await exchange.post("/v1/event", .object(play))
                let waiting = try await held.list(scope, limit: 10).map(\.held)
                #expect(waiting.count == [2, 1, 0, 0][decision - 1])
                if decision == 1 { try await held.refuse(waiting[0].id, of: scope) }
                if decision == 2 { _ = try await held.release(waiting[0].id, of: scope) }
            }
            #expect(try await exchange.credits(of: ann) == ["default": 10])
            #expect(try await exchange.credits(of: bob) == ["default": 0])
        }
    }

    @Test func anEventThatNamesNoDeviceIsOfItsUsers() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.emulators": "true"]))
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            try await exchange.addRule(try NewRewardRule("play", .actor, 10), for: app)
            let user = try await exchange.install(key, ["model": "x86_64"]).object
            _ = try await exchange.post(
                "/v1/event", ["branch_key": .string(key), "event": "play", "identity_id": user["identity_id"]!])
            #expect(try await exchange.services.heldRewards.list(scope, limit: 10).count == 1)
            #expect(try await exchange.credits(of: user) == ["default": 0])
        }
    }

    @Test func whatIsRemovedIsTakenFromItsOwnCredits() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.emulators": "true", "fraud.action": "remove"]))
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            try await exchange.addRule(try NewRewardRule("play", .actor, 10) { $0.daysValid = 30 }, for: app)
            let user = try await exchange.install(key, ["model": "x86_64", "identity": "ann", "sdk": "ios1.30.0"]).object
            let soon = exchange.installation.clock.now + .seconds(3600)
            _ = try await exchange.services.credits.grant(
                CreditGrant(holder: .named("ann"), amount: try CreditAmount(10), expiresAt: soon), RequestedCause(.operator),
                try CreditCall(), in: scope)
            _ = try await exchange.post(
                "/v1/event", ["branch_key": .string(key), "event": "play", "identity_id": user["identity_id"]!])
            exchange.installation.clock.advance(by: .seconds(3600))
            try await exchange.services.credits.expire()
            #expect(try await exchange.credits(of: user) == ["default": 0])
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func whatAnAppWantsRemovedIsInTheHistoryAsFraud() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.emulators": "true", "fraud.action": "remove"]))
            try await exchange.addRule(try NewRewardRule("install", .actor, 10), for: app)
            let key = app.live.key.branchKey
            let user = try await exchange.installByLink(key, ["model": "x86_64"])
            let history = try await exchange.history(of: user, key).compactMap { $0["transaction"]?.object }
            #expect(history.map { $0["type"] } == [3, 0])
            #expect(history.map { $0["amount"] } == [-10, 10])
        }
    }

    @Test func nothingIsFlaggedUnlessTheAppSaysSo() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await exchange.addRule(try NewRewardRule("install", .actor, 10), for: app)
            for _ in 1...20 {
                let user = try await exchange.installByLink(app.live.key.branchKey, ["model": "x86_64"])
                #expect(try await exchange.credits(of: user) == ["default": 10])
            }
        }
    }
}
