import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// Rewards that a device earns once, where a call only names the device, or the user whose first device it is.
@Suite struct UnprovenDeviceTests {
    @Test func whoNamesAnothersAdvertisingIDTakesNothingThatTheDeviceEarnsOnce() async throws {
        try await Self.run { exchange, app in
            let victim = try await exchange.install(
                app.live.key.branchKey, ["identity": "ann", "google_advertising_id": "A-1", "os": "Android"], from: "192.0.2.1"
            ).object
            try await exchange.play(app, ["aaid": "A-1", "developer_identity": "mallory"], from: "198.51.100.9")
            try await exchange.play(
                app, ["randomized_device_token": victim["randomized_device_token"]!, "developer_identity": "ann"], from: "192.0.2.1"
            )
            #expect(try await exchange.balance(of: "ann") == 5)
        }
    }

    @Test func whatTheFirstDeviceEarnedForAnotherUserIsHeldWhereAServerNamesTheUser() async throws {
        try await Self.run { exchange, app in
            let key = app.live.key.branchKey
            let stranger = try await exchange.install(key, from: "198.51.100.9").object
            let tokens: JSONObject = [
                "randomized_device_token": stranger["randomized_device_token"]!,
                "randomized_bundle_token": stranger["randomized_bundle_token"]!, "session_id": stranger["session_id"]!,
            ]
            try await exchange.play(app, tokens, from: "198.51.100.9")
            for name: JSON in ["mallory", "ann"] {
                let login = tokens.merging(["branch_key": .string(key), "identity": name])
                #expect(try await exchange.post("/v1/profile", .object(login), from: "198.51.100.9").status == 200)
            }
            try await exchange.play(app, ["developer_identity": "ann"], secret: app.live.secret)

            let held = try await exchange.services.heldRewards.list(app.live.key.scope, limit: 10)
            #expect(held.map { $0.user?.developerIdentity } == ["ann"])
            #expect(held.first?.held.reasons == ["The user's first device earned this reward for another user before."])
            // Once, however often the server reports it.
            try await exchange.play(app, ["developer_identity": "ann"], secret: app.live.secret)
            #expect(try await exchange.services.heldRewards.count(app.live.key.scope, HeldRewardFilter()) == 1)
            _ = try await exchange.services.heldRewards.release(try #require(held.first).held.id, of: app.live.key.scope)
            #expect(try await exchange.balance(of: "ann") == 5)
        }
    }

    @Test(arguments: ["aaid", "android_id"]) func anOlderDeviceTakesNoIDOverThatAnotherReported(id: String) async throws {
        try await Self.run { exchange, app in
            let key = app.live.key.branchKey
            let older = try await exchange.install(
                key, ["identity": "mallory", "os": "Android", "hardware_id": "M", "is_hardware_id_real": true], from: "198.51.100.9"
            ).object
            let ids: JSONObject = [
                "os": "Android", "hardware_id": "ID-1", "is_hardware_id_real": true, "google_advertising_id": "ID-1",
            ]
            _ = try await exchange.install(key, ids.merging(["identity": "ann"]), from: "192.0.2.1")
            exchange.installation.clock.advance(by: .milliseconds(1))
            let open = ids.merging(["branch_key": .string(key), "randomized_device_token": older["randomized_device_token"]!])
            #expect(try await exchange.post("/v1/open", .object(open), from: "198.51.100.9").status == 200)

            try await exchange.play(app, [id: "ID-1"], secret: app.live.secret)
            #expect(try await exchange.balance(of: "ann") == 5)
            #expect(try await exchange.balance(of: "mallory") == 0)
        }
    }

    private static func run(_ body: @escaping @Sendable (Exchange, CreatedApp) async throws -> Void) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await exchange.addRule(try NewRewardRule("play", .actor, 5) { $0.isFirstOnly = true }, for: app)
            try await body(exchange, app)
        }
    }
}

extension Exchange {
    /// Reports an event of a user.
    fileprivate func play(
        _ app: CreatedApp, _ user: JSONObject, secret: String? = nil, from address: String = "203.0.113.7"
    ) async throws {
        var event: JSONObject = ["branch_key": .string(app.live.key.branchKey), "name": "play", "user_data": .object(user)]
        if let secret { event["branch_secret"] = .string(secret) }
        #expect(try await post("/v2/event/custom", .object(event), from: address).status == 200)
    }
}
