import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The identity of a device: login, logout, and an open that names one or none.
@Suite struct DeviceLoginTests {
    @Test func aDeviceIsTheUsersWhoIsLoggedInThere() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let ann = try await exchange.install(key, ["identity": "ann"], from: "192.0.2.1").object
            let other = try await exchange.install(key, from: "192.0.2.2").object
            // Another user's token together with the caller's own device is ignored.
            let open = try await exchange.post(
                "/v1/open",
                [
                    "branch_key": .string(key), "identity_id": ann["identity_id"]!,
                    "device_fingerprint_id": other["device_fingerprint_id"]!,
                ])
            #expect(open.object["identity_id"] == other["identity_id"])
            #expect(open.object["identity"] == nil)
        }
    }

    @Test func aLateOpenDoesNotLogInAgain() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let tokens = try await exchange.install(key, ["identity": "ann"]).object
            let old: JSONObject = [
                "branch_key": .string(key), "identity_id": tokens["identity_id"]!,
                "device_fingerprint_id": tokens["device_fingerprint_id"]!, "session_id": tokens["session_id"]!,
            ]
            let logout = try await exchange.post("/v1/logout", .object(old))
            let late = try await exchange.post("/v1/open", .object(old))
            #expect(late.object["identity"] == nil)
            #expect(late.object["identity_id"] == logout.object["identity_id"])
        }
    }

    @Test func aServersUserIsOneOnEveryOpen() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let body: JSONObject = [
                "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret), "server_to_server": true,
                "os": "iOS", "os_version": "NA", "app_version": "1", "model": "NA", "ad_tracking_enabled": false,
                "is_hardware_id_real": false, "identity": "ann",
            ]
            let first = try await exchange.post("/v1/open", .object(body))
            let second = try await exchange.post("/v1/open", .object(body))
            #expect(try first.data["+is_first_session"] == true)
            #expect(try second.data["+is_first_session"] == false)
            #expect(second.object["device_fingerprint_id"] == first.object["device_fingerprint_id"])
        }
    }

    @Test(arguments: ["ios3.14.0", "mac1.5.0", "mac1.6.1", "web2.79.0", "native2.1.0"])
    func anOpenThatNamesNoUserIsALogoutWhereTheSDKAlwaysNamesIt(sdk: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let newest: JSONObject = ["branch_key": .string(key), "sdk": .string(sdk)]
            let install = try await exchange.install(key, newest.merging(["identity": "ann"])).object
            // The SDK has no logout call; it omits the name.
            let open = try await exchange.post(
                "/v1/open", .object(newest.merging(["randomized_device_token": install["randomized_device_token"]!])))
            #expect(open.object["identity"] == nil)
            #expect(open.object["identity_id"] != install["identity_id"])
            #expect(open.object["randomized_device_token"] == install["randomized_device_token"])
        }
    }

    @Test(arguments: ["ios2.2.1", "mac1.4.2", "web2.78.0", "native1.2.0", "roku", "android5.8.2", "android5.21.0", nil] as [JSON])
    func anOpenThatNamesNoUserSaysNothingWhereTheSDKMayLeaveItOut(sdk: JSON) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let older: JSONObject = ["branch_key": .string(key), "sdk": sdk]
            let install = try await exchange.install(key, older.merging(["identity": "ann"])).object
            let open = try await exchange.post(
                "/v1/open", .object(older.merging(["randomized_device_token": install["randomized_device_token"]!])))
            #expect(open.object["identity"] == "ann")
            #expect(open.object["identity_id"] == install["identity_id"])
        }
    }

    @Test func aSessionNamesItsDeviceAtLoginAndLogout() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key).object
            let tokens: JSONObject = [
                "branch_key": .string(key), "identity": "ann", "identity_id": install["identity_id"]!,
                "session_id": install["session_id"]!,
            ]
            let profile = try await exchange.post("/v1/profile", .object(tokens))
            #expect(profile.object["device_fingerprint_id"] == install["device_fingerprint_id"])
            let logout = try await exchange.post("/v1/logout", .object(tokens))
            let open = try await exchange.post(
                "/v1/open", ["branch_key": .string(key), "device_fingerprint_id": install["device_fingerprint_id"]!])
            #expect(open.object["identity_id"] == logout.object["identity_id"])
            #expect(open.object["identity"] == nil)
        }
    }
}
