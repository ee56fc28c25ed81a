import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// What a hardware id is good for: a new installation is known by it as that device. It is no credential of the SDK.
@Suite struct HardwareIDTests {
    private static let phone: JSONObject = ["ios_vendor_id": "7D5F6C1E-0000-4000-8000-000000000001"]

    @Test(arguments: ["/v1/profile", "/v1/logout"])
    func itNeitherLogsInNorOut(call: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let own = try await exchange.install(key, Self.phone.merging(["identity": "ann"])).object
            let stranger = try await exchange.post(
                call, .object(Self.phone.merging(["branch_key": .string(key), "identity": "mallory"])), from: "198.51.100.9")
            #expect(stranger.status == 200)
            #expect(stranger.object["device_fingerprint_id"] != own["device_fingerprint_id"])
            let open = try await exchange.post(
                "/v1/open",
                ["branch_key": .string(key), "randomized_device_token": own["randomized_device_token"]!])
            #expect(open.object["identity"] == "ann" && open.object["identity_id"] == own["identity_id"])
        }
    }

    @Test(arguments: [false, true])
    func aNewInstallationContinuesTheUserUnlessTheAppIsStrict(isStrict: Bool) async throws {
        try await Exchange.run { exchange in
            let settings: JSONObject = isStrict ? ["security": "strict"] : [:]
            let app = try await exchange.installation.createApp(settings: Installation.settings.merging(settings))
            let key = app.live.key.branchKey
            let own = try await exchange.install(key, Self.phone).object

            let again = try await exchange.install(key, Self.phone, from: "198.51.100.9")
            #expect((again.object["identity_id"] == own["identity_id"]) == !isStrict)
            #expect((again.object["device_fingerprint_id"] == own["device_fingerprint_id"]) == !isStrict)
            #expect(try again.data["+is_first_session"] == false, "It is known that it is no new phone.")

            // With the device's token, it is the same device in either case.
            let token: JSONObject = ["randomized_device_token": own["randomized_device_token"]!]
            let open = try await exchange.post("/v1/open", .object(Self.phone.merging(token).merging(["branch_key": .string(key)])))
            #expect(open.object["identity_id"] == own["identity_id"])
        }
    }

    @Test func operatorsWhoChangeNothingAreNotShownIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.install(app.live.key.branchKey, Self.phone.merging(["identity": "ann"]))
            let token = try await exchange.token(.support, for: app)
            let answer = try await exchange.manage(.get, "/api/v1/identities/ann?app=\(app.app.id)", token: token)
            #expect(answer.status == 200)
            #expect(!answer.body.contains(Self.phone["ios_vendor_id"]?.string ?? "?"))
        }
    }

    @Test func aNameThatLooksLikeAReferenceHidesNoUser() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            _ = try await exchange.install(key, ["identity": "ann"])
            let token = try await exchange.token(.support, for: app)
            func id(_ name: String) async throws -> String? {
                try await exchange.manage(.get, "/api/v1/identities/\(name)?app=\(app.app.id)", token: token).object["identity_id"]?
                    .string
            }
            let reference = try #require(try await id("ann"))
            _ = try await exchange.install(key, ["identity": .string(reference)], from: "198.51.100.9")
            #expect(try await id(reference) == reference)
            // One that is no reference is a name like any other.
            _ = try await exchange.install(key, ["identity": "identity_of_a_pear"], from: "198.51.100.9")
            #expect(try await id("identity_of_a_pear") != nil)
        }
    }
}
