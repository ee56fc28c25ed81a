import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// What a device changes on which a stranger logged in by a user's name, after the user's own.
@Suite struct StrangersDeviceTests {
    /// Bob installs the app on a phone, by Ann's link. Then a stranger, who has a link of Mallory's, installs it in Bob's name.
    @Test func aSessionThatIsNotTheUsersDoesNotLiftTheDaysLimit() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging([RewardLimits.perDaySetting: "3"]))
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("PURCHASE", .referrer, 5), for: app)
            let (_, bait) = try await exchange.friend(named: "mallory", of: key, at: "192.0.2.66")
            for user in 0..<6 {
                let name = JSON.string("user\(user)")
                let madeUp = try await exchange.install(
                    key, ["identity": name, "universal_link_url": .string("https://go.example.com" + bait)], from: "192.0.2.67")
                let own = try await exchange.install(key, ["hardware_id": name, "is_hardware_id_real": true], from: "198.51.100.9")
                let reported = try await exchange.server(
                    "/v1/event", app,
                    [
                        "event": "PURCHASE", "identity": name, "session_id": own.object["session_id"]!,
                        "device_fingerprint_id": madeUp.object["device_fingerprint_id"]!,
                    ])
                #expect(reported.status == 200, "\(reported.body)")
            }
            #expect(try await exchange.balance(of: "mallory") <= 15)
        }
    }

    private struct Scene {
        let exchange: Exchange
        let app: CreatedApp
        let bob: JSONObject
        let stranger: JSONObject

        var key: String { app.live.key.branchKey }

        static func run(
            _ settings: JSONObject = [:], stranger: JSONObject = [:], _ body: @escaping @Sendable (Scene) async throws -> Void
        ) async throws {
            try await Exchange.run { exchange in
                let app = try await exchange.installation.createApp(settings: Installation.settings.merging(settings))
                let key = app.live.key.branchKey
                try await exchange.addRule(try NewRewardRule("PURCHASE", .both, 5), for: app)
                let (_, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
                let bob = try await exchange.installBy(link, key, ["identity": "bob", "model": "iPhone15,2"], at: "198.51.100.9")
                let (_, bait) = try await exchange.friend(named: "mallory", of: key, at: "192.0.2.66")
                let fields: JSONObject = ["identity": "bob", "universal_link_url": .string("https://go.example.com" + bait)]
                let madeUp = try await exchange.install(key, fields.merging(stranger), from: "192.0.2.67")
                try #require(madeUp.status == 200, "\(madeUp.body)")
                try await body(Scene(exchange: exchange, app: app, bob: bob, stranger: madeUp.object))
            }
        }
    }

    @Test(arguments: ["hold", "remove"]) func itsFraudSignalsAreNotTheUsers(action: String) async throws {
        try await Scene.run(
            ["fraud.emulators": "true", "fraud.action": .string(action)], stranger: ["model": "sdk_gphone64_x86_64"]
        ) { scene in
            let reported = try await scene.exchange.server(
                "/v2/event/standard", scene.app, ["name": "PURCHASE", "user_data": ["developer_identity": "bob"]])
            #expect(reported.status == 200, "\(reported.body)")
            #expect(try await scene.exchange.balance(of: "bob") == 5)
            #expect(try await scene.exchange.balance(of: "ann") == 5)
            #expect(try await scene.exchange.rows("SELECT COUNT(*) FROM held_rewards") == 0)
        }
    }

    @Test func theUserAppliesCodesOfAnotherUserOfIt() async throws {
        try await Scene.run { scene in
            let code = try await scene.exchange.code(of: "carol", for: scene.app)
            for name in ["carol", "bob"] {
                let login = try await scene.exchange.post(
                    "/v1/profile",
                    [
                        "branch_key": .string(scene.key), "identity": .string(name),
                        "device_fingerprint_id": scene.stranger["device_fingerprint_id"]!,
                    ])
                #expect(login.object["identity"]?.string == name)
            }
            let applied = try await scene.exchange.server("/v1/applycode/\(code)", scene.app, ["identity": "bob"])
            #expect(applied.status == 200, "\(applied.body)")
        }
    }

    @Test(arguments: ["branch", "strict"]) func sessionsThatAServerReportsAreNotOnIt(security: String) async throws {
        try await Scene.run(["security": .string(security)]) { scene in
            let opened = try await scene.exchange.serverOpen(scene.app, by: "bob")
            #expect(opened.object["device_fingerprint_id"] == scene.bob["device_fingerprint_id"])
            #expect(opened.object["device_fingerprint_id"] != scene.stranger["device_fingerprint_id"])
        }
    }

    /// A user whose first device is no app's, or is another user's now.
    enum Away: CaseIterable {
        case onTheWebsite, loggedOut
    }

    @Test(arguments: ["branch", "strict"], Away.allCases)
    func itDoesNotStandForAUserWhoIsAway(security: String, away: Away) async throws {
        try await Exchange.run { exchange in
            let settings: JSONObject = ["security": .string(security), "fraud.emulators": "true", "fraud.action": "hold"]
            let app = try await exchange.installation.createApp(settings: Installation.settings.merging(settings))
            let key = app.live.key.branchKey
            for recipient in [RewardRule.Recipient.actor, .referrer] {
                try await exchange.addRule(try NewRewardRule("PURCHASE", recipient, 5), for: app)
            }
            let own: JSONObject
            switch away {
            case .onTheWebsite:
                own = try await exchange.post("/v1/open", ["branch_key": .string(key), "sdk": "web2.85.0", "identity": "bob"])
                    .object
            case .loggedOut:
                own = try await exchange.install(key, ["identity": "bob"], from: "198.51.100.9").object
                let left = try await exchange.post(
                    "/v1/logout", ["branch_key": .string(key), "device_fingerprint_id": own["device_fingerprint_id"] ?? .null])
                try #require(left.status == 200, "\(left.body)")
            }
            let (_, bait) = try await exchange.friend(named: "mallory", of: key, at: "192.0.2.66")
            let madeUp = try await exchange.install(
                key,
                [
                    "identity": "bob", "model": "sdk_gphone64_x86_64",
                    "universal_link_url": .string("https://go.example.com" + bait),
                ], from: "192.0.2.67")
            try #require(madeUp.object["identity"] == "bob", "\(madeUp.body)")

            let opened = try await exchange.serverOpen(app, by: "bob")
            try #require(opened.object["identity"] == "bob", "\(opened.body)")
            let device = opened.object["device_fingerprint_id"]
            #expect(device != madeUp.object["device_fingerprint_id"])
            #expect((device == own["device_fingerprint_id"]) == (away == .loggedOut))
            #expect(try await exchange.serverOpen(app, by: "bob").object["device_fingerprint_id"] == device)
            for user: JSONObject in [
                ["developer_identity": "bob"], ["developer_identity": "bob", "randomized_device_token": device ?? .null],
            ] {
                let bought = try await exchange.server(
                    "/v2/event/standard", app, ["name": "PURCHASE", "user_data": .object(user)])
                #expect(bought.status == 200, "\(bought.body)")
            }
            #expect(try await exchange.balance(of: "bob") == 10)
            #expect(try await exchange.balance(of: "mallory") == 0)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM held_rewards") == 0)
            // The server changed nothing about who uses the phone.
            guard away == .loggedOut else { return }
            let again = try await exchange.post(
                "/v1/open", ["branch_key": .string(key), "device_fingerprint_id": own["device_fingerprint_id"] ?? .null])
            #expect(again.status == 200 && again.object["identity"] != "bob", "\(again.body)")
        }
    }

    /// How a user came to be whose first session has no parameters.
    enum Beginning: CaseIterable {
        case namedByServer, secondUserOfAPhone, secondUserByOpen, notReferrable
    }

    @Test(arguments: ["branch", "strict"], Beginning.allCases)
    func itSetsNoFirstParametersOfTheUser(security: String, beginning: Beginning) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["security": .string(security)]))
            let key = app.live.key.branchKey
            func login(as name: String, on device: JSON?) async throws -> JSONObject {
                let tokens: JSONObject = ["branch_key": .string(key), "device_fingerprint_id": device ?? .null]
                return try await exchange.post("/v1/profile", .object(tokens.merging(["identity": .string(name)]))).object
            }
            var fields: JSONObject = [:]
            switch beginning {
            case .namedByServer:
                _ = try await exchange.server("/v1/event", app, ["event": "signed_up", "identity": "bob"])
            case .secondUserOfAPhone, .secondUserByOpen: fields = ["identity": "carol"]
            case .notReferrable: fields = ["identity": "bob", "is_referrable": 0]
            }
            let phone = try await exchange.install(key, fields, from: "198.51.100.9").object["device_fingerprint_id"]
            if beginning == .secondUserByOpen {
                // Newer SDKs name the user with the next session.
                let opened = try await exchange.post(
                    "/v1/open", ["branch_key": .string(key), "identity": "bob", "device_fingerprint_id": phone ?? .null])
                #expect(opened.object["identity"] == "bob" && opened.object["device_fingerprint_id"] == phone)
            } else {
                #expect(try await login(as: "bob", on: phone)["identity"] == "bob")
            }

            let (_, bait) = try await exchange.friend(named: "mallory", of: key, at: "192.0.2.66")
            let madeUp = try await exchange.install(
                key, ["identity": "bob", "universal_link_url": .string("https://go.example.com" + bait)], from: "192.0.2.67")
            #expect(madeUp.object["identity"] == "bob")

            let own = try await login(as: "bob", on: phone)
            #expect(own["referring_data"]?.string?.contains("apples/cox") == false, "\(own)")
        }
    }
}
