import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// Users whose names a stranger uses before they come, by a link of the stranger's own. Later the app's server names them in its events.
@Suite struct SquattedNamesTests {
    private static let address = "198.51.100.9"

    @Test(arguments: ["branch", "strict"]) func oneClickRefersOneUserHoweverManyDevicesNameIt(security: String) async throws {
        try await Self.run(["security": .string(security)]) { scene in
            let click = try await scene.click()
            for number in 0..<4 {
                let user = try await scene.install(
                    ["identity": .string("user\(number)"), "link_identifier": .string(click)], from: Self.address)
                #expect(try user.data["$deeplink_path"] == "apples/cox", "the link's data is for all")
            }
            try await scene.subscribe(0..<4)
            #expect(try await scene.exchange.balance(of: "mallory") == 5)
            #expect(try await scene.exchange.rows("SELECT COUNT(*) FROM referrals") == 1)
            #expect(try await scene.exchange.rows("SELECT COUNT(*) FROM sessions WHERE referring_identity_id IS NOT NULL") == 1)
            #expect(try await scene.held().isEmpty)
            let explained = "SELECT COUNT(*) FROM sessions WHERE explanation LIKE '%does not count as referred%'"
            #expect(try await scene.exchange.rows(explained) == 3)
        }
    }

    @Test func oneClickRefersTheUserOfOnePage() async throws {
        try await Self.run { scene in
            let click = try await scene.click()
            for number in 0..<3 {
                let visit = Exchange.webSDK.merging([
                    "branch_key": .string(scene.key), "identity": .string("user\(number)"), "link_identifier": .string(click),
                ])
                let open = try await scene.exchange.post("/v1/open", .object(visit), from: Self.address)
                #expect(open.status == 200, "\(open.body)")
            }
            try await scene.subscribe(0..<3)
            #expect(try await scene.exchange.balance(of: "mallory") == 5)
        }
    }

    /// A page to which the link leads opens a session by the click before the app does.
    @Test func aPageDoesNotTakeTheReferralOfTheAppAfterIt() async throws {
        try await Self.run { scene in
            let click = JSON.string(try await scene.click())
            _ = try await scene.exchange.post(
                "/v1/open", .object(Exchange.webSDK.merging(["branch_key": .string(scene.key), "link_identifier": click])),
                from: Self.address)
            _ = try await scene.install(["identity": "user0", "link_identifier": click], from: Self.address)
            try await scene.subscribe(0..<1)
            #expect(try await scene.exchange.balance(of: "mallory") == 5)
        }
    }

    private static let limits: [(setting: String, address: @Sendable (Int) -> String)] = [
        (RewardLimits.perAddressSetting, { _ in address }), (RewardLimits.perNetworkSetting, { "198.51.100.\($0)" }),
        (RewardLimits.perDaySetting, { "198.18.\($0).1" }),
    ]

    /// By clicks, and by the link itself.
    @Test(arguments: limits.indices, [true, false])
    func usersBeyondADaysLimitAreReferredAndTheirRewardsWait(index: Int, isByClick: Bool) async throws {
        let (setting, address) = Self.limits[index]
        try await Self.run([setting: "2"]) { scene in
            for number in 0..<4 {
                let way: JSONObject =
                    isByClick
                    ? ["link_identifier": .string(try await scene.click(from: address(number)))]
                    : ["universal_link_url": .string("https://go.example.com" + scene.link)]
                _ = try await scene.install(way.merging(["identity": .string("user\(number)")]), from: address(number))
            }
            // Rewards for users whom a server names count towards the day's limit too: those that wait take no part of it.
            scene.exchange.installation.clock.advance(by: .seconds(86400))
            try await scene.subscribe(2..<4)
            #expect(try await scene.exchange.balance(of: "mallory") == 0)
            try await scene.subscribe(0..<2)
            #expect(try await scene.exchange.balance(of: "mallory") == 10)

            let held = try await scene.held()
            try #require(held.count == 2)
            for reward in held {
                let reason = try #require(reward.reasons.first)
                #expect(reward.reasons.count == 1)
                #expect(reason.contains("2 users were referred on") && reason.contains(setting), "\(reason)")
            }
            let record = try await scene.exchange.services.heldRewards.release(held[0].id, of: scene.app.live.key.scope)
            #expect(record != nil)
            #expect(try await scene.exchange.balance(of: "mallory") == 15)
            try await scene.exchange.expectBooksAreRight()
        }
    }

    @Test func whatTheUserEarnsByItselfDoesNotWaitForTheReferral() async throws {
        try await Self.run([RewardLimits.perAddressSetting: "0"]) { scene in
            try await scene.exchange.addRule(try NewRewardRule("subscribed", .actor, 3), for: scene.app)
            let click = try await scene.click()
            _ = try await scene.install(["identity": "user0", "link_identifier": .string(click)], from: Self.address)
            try await scene.subscribe(0..<1)
            #expect(try await scene.exchange.balance(of: "user0") == 3)
            #expect(try await scene.held().count == 1)
        }
    }

    @Test func aUserWhoComesByLinksAgainAndAgainIsReferredOnce() async throws {
        try await Self.run([RewardLimits.perAddressSetting: "1"]) { scene in
            let user = try await scene.install(
                ["identity": "user0", "link_identifier": .string(try await scene.click())], from: Self.address)
            for _ in 1...3 {
                let open = try await scene.exchange.post(
                    "/v1/open",
                    [
                        "branch_key": .string(scene.key), "os": "iOS", "identity": "user0",
                        "device_fingerprint_id": user.object["device_fingerprint_id"]!,
                        "universal_link_url": .string("https://go.example.com" + scene.link),
                    ], from: Self.address)
                #expect(open.status == 200, "\(open.body)")
            }
            #expect(try await scene.exchange.rows("SELECT COUNT(*) FROM referrals WHERE held_reasons IS NULL") == 4)
            try await scene.subscribe(0..<1)
            #expect(try await scene.exchange.balance(of: "mallory") == 5)
        }
    }

    /// A device without a user collects referrals that count once, and logs in as one user after another.
    @Test func theReferralOfADeviceMovesToOneUser() async throws {
        try await Self.run { scene in
            for number in 0..<3 {
                // The server names the users first: otherwise each login would give the device's own user the name.
                let seen: JSONObject = ["event": "seen", "identity": .string("user\(number)")]
                _ = try await scene.exchange.server("/v1/event", scene.app, seen)
            }
            let phone = try await scene.install(from: Self.address).object
            let tokens: JSONObject = [
                "branch_key": .string(scene.key), "device_fingerprint_id": phone["device_fingerprint_id"]!,
                "identity_id": phone["identity_id"]!,
            ]
            for _ in 0..<3 {
                _ = try await scene.exchange.post(
                    "/v1/open",
                    .object(tokens.merging(["universal_link_url": .string("https://go.example.com" + scene.link)])),
                    from: Self.address)
            }
            for number in 0..<3 {
                let login = try await scene.exchange.post(
                    "/v1/profile", .object(tokens.merging(["identity": .string("user\(number)")])), from: Self.address)
                #expect(login.status == 200, "\(login.body)")
            }
            let named = """
                SELECT COUNT(*) FROM referrals JOIN identities ON identities.id = identity_id
                WHERE developer_identity LIKE 'user%'
                """
            #expect(try await scene.exchange.rows(named) == 1)
        }
    }

    @Test(arguments: ["branch", "strict"]) func aReinstallByTheClickKeepsTheReferral(security: String) async throws {
        try await Self.run([RewardLimits.perAddressSetting: "1", "security": .string(security)]) { scene in
            let fields: JSONObject = [
                "identity": "user0", "hardware_id": "bobs-phone", "is_hardware_id_real": true,
                "link_identifier": .string(try await scene.click()),
            ]
            _ = try await scene.install(fields, from: Self.address)
            // Another device comes by the click in between, and is not referred.
            _ = try await scene.install(fields.merging(["identity": "user1", "hardware_id": "other-phone"]), from: Self.address)
            let again = try await scene.install(fields, from: Self.address).object
            #expect(try await scene.exchange.rows("SELECT COUNT(*) FROM sessions WHERE referring_identity_id IS NOT NULL") == 2)
            // A reinstalled phone is a new device in strict mode, and its session not one of the user's first device.
            let event: JSONObject = ["event": "subscribed", "identity": "user0"]
            let reported = try await scene.exchange.server(
                "/v1/event", scene.app, security == "strict" ? event : event.merging(["session_id": again["session_id"]!]))
            #expect(reported.status == 200, "\(reported.body)")
            #expect(try await scene.exchange.balance(of: "mallory") == 5)
        }
    }

    /// The first device of the name is the stranger's, so the user's session does not count as referred. The session says so.
    @Test func aSessionThatDoesNotCountSinceTheUserHadAnotherDeviceSaysSo() async throws {
        try await Self.run { scene in
            _ = try await scene.install(["identity": "user0"], from: "192.0.2.9")
            let click = try await scene.click()
            _ = try await scene.install(["identity": "user0", "link_identifier": .string(click)], from: Self.address)
            #expect(try await scene.exchange.rows("SELECT COUNT(*) FROM referrals") == 0)
            let explained = "SELECT COUNT(*) FROM sessions WHERE explanation LIKE '%had another device before%'"
            #expect(try await scene.exchange.rows(explained) == 1)
        }
    }

    @Test func aHouseholdsTwoInstallsRewardWhoBroughtThem() async throws {
        try await Self.run { scene in
            try await scene.exchange.addRule(try NewRewardRule("install", .both, 10), for: scene.app)
            for name in ["user0", "user1"] {
                let click = try await scene.click()
                _ = try await scene.install(["identity": .string(name), "link_identifier": .string(click)], from: Self.address)
            }
            try await scene.subscribe(0..<2)
            #expect(try await scene.exchange.balance(of: "mallory") == 30)
            #expect(try await scene.exchange.balance(of: "user1") == 10)
            #expect(try await scene.held().isEmpty)
        }
    }

    /// Mallory has a link. The referrer of a user who subscribes earns 5 credits.
    private struct Scene: Sendable {
        let exchange: Exchange
        let app: CreatedApp
        let link: String

        var key: String { app.live.key.branchKey }

        func click(from address: String = SquattedNamesTests.address) async throws -> String {
            try #require(try await exchange.get(link, from: address).linkClickID)
        }

        func install(_ fields: JSONObject = [:], from address: String) async throws -> Exchange.Answer {
            let answer = try await exchange.install(key, fields, from: address)
            try #require(answer.status == 200, "\(answer.body)")
            return answer
        }

        /// Reports the event of each of the users, as the app's server does.
        func subscribe(_ users: Range<Int>) async throws {
            for number in users {
                let event: JSONObject = ["name": "subscribed", "user_data": ["developer_identity": .string("user\(number)")]]
                let answer = try await exchange.server("/v2/event/custom", app, event)
                try #require(answer.status == 200, "\(answer.body)")
            }
        }

        func held() async throws -> [HeldReward] {
            try await exchange.services.heldRewards.list(app.live.key.scope, limit: 100).map(\.held)
        }
    }

    private static func run(_ settings: JSONObject = [:], _ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(settings: Installation.settings.merging(settings))
            try await exchange.addRule(try NewRewardRule("subscribed", .referrer, 5), for: app)
            let (_, link) = try await exchange.friend(named: "mallory", of: app.live.key.branchKey, at: "192.0.2.66")
            try await body(Scene(exchange: exchange, app: app, link: link))
        }
    }
}
