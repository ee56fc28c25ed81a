import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct AttributionRoutesTests {
    @Test func theLastTouchIsTheLinkThatLedHereLast() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["channel": "sms", "campaign": "pears"])
            _ = try await exchange.get(path)
            let install = try await exchange.install(key)
            let question: JSONObject = [
                "branch_key": .string(key), "attribution_window": 7,
                "user_data": .object(["randomized_device_token": install.object["randomized_device_token"]!]),
            ]
            let answer = try await exchange.post("/v1/cpid/latd", .object(question))
            #expect(answer.object["attribution_window"] == 7)
            let touch = try #require(answer.object["last_attributed_touch_data"]?.object)
            #expect(touch["last_attributed_touch_data_tilde_channel"] == "sms")
            #expect(touch["last_attributed_touch_data_tilde_campaign"] == "pears")
            #expect(touch["~channel"] == nil)

            exchange.installation.clock.advance(by: .seconds(8 * 86400))
            let late = try await exchange.post("/v1/cpid/latd", .object(question))
            #expect(late.object["last_attributed_touch_data"] == .object([:]))
        }
    }

    @Test(arguments: [nil, "bnc_no_value", 365, -1, "soon"] as [JSON])
    func withoutASensibleWindowItIsThirtyDays(window: JSON) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post("/v1/cpid/latd", ["branch_key": .string(key), "attribution_window": window])
            #expect(answer.body == #"{"last_attributed_touch_data":{},"attribution_window":30}"#)
        }
    }

    @Test func aUserHasOneIdOnAllDevicesThatIsNoToken() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            var ids: [JSON?] = []
            for address in ["192.0.2.1", "192.0.2.2"] {
                let install = try await exchange.install(key, ["identity": "ann"], from: address)
                let answer = try await exchange.post(
                    "/v1/cpid",
                    [
                        "branch_key": .string(key),
                        "user_data": .object(["randomized_device_token": install.object["randomized_device_token"]!]),
                    ])
                let user = try #require(answer.object["user_data"]?.object)
                #expect(user["developer_identity"] == "ann")
                #expect(user["cross_platform_id"]?.string?.wholeMatch(of: /[0-9a-f]{64}/) != nil)
                ids.append(user["cross_platform_id"])
            }
            #expect(ids[0] == ids[1])
            // A user's name alone gives no information.
            let named = try await exchange.post(
                "/v1/cpid", ["branch_key": .string(key), "user_data": ["developer_identity": "ann"]])
            #expect(named.body == #"{"user_data":{"past_cross_platform_ids":[],"prob_cross_platform_ids":[]}}"#)
        }
    }

    @Test func aUserSeesTheUsersReferredByTheirLinks() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let owner = try await exchange.install(key, from: "192.0.2.1")
            let id = try #require(owner.object["identity_id"]?.string)
            let path = try await exchange.createLink(key, ["identity_id": .string(id)])
            let click = try #require(try await exchange.get(path).linkClickID)
            let friend = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.2")
            for _ in 1...2 {
                _ = try await exchange.post(
                    "/v1/open",
                    [
                        "branch_key": .string(key), "identity_id": friend.object["identity_id"]!,
                        "device_fingerprint_id": friend.object["device_fingerprint_id"]!, "link_identifier": .string(click),
                    ])
            }
            // An identity's own opens by its link do not count.
            _ = try await exchange.post(
                "/v1/open", ["branch_key": .string(key), "identity_id": .string(id), "link_identifier": .string(click)])
            let answer = try await exchange.get("/v1/referrals/\(id)")
            #expect(answer.body == #"{"install":{"total":1,"unique":1},"open":{"total":2,"unique":1}}"#)
            #expect(try await exchange.get("/v1/referrals/123456789012345678").status == 400)
        }
    }
}

@Suite struct ServerOpenTests {
    private static let user: JSONObject = [
        "server_to_server": true, "os": "iOS", "os_version": "17.5.1", "app_version": "3.0", "model": "iPhone14,5",
        "ad_tracking_enabled": true, "is_hardware_id_real": true, "hardware_id": "H-1", "ip": "203.0.113.7",
    ]

    @Test func aServerOpensASessionForItsUser() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let secret: JSONObject = ["branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret)]
            _ = try await exchange.get(try await exchange.createLink(app.live.key.branchKey, ["data": ["variety": "Cox"]]))

            let first = try await exchange.post("/v1/open", .object(Self.user.merging(secret)), from: "192.0.2.200")
            #expect(first.status == 200)
            #expect(try first.data["variety"] == "Cox")
            #expect(try first.data["+is_first_session"] == true)
            let second = try await exchange.post("/v1/open", .object(Self.user.merging(secret)), from: "192.0.2.200")
            #expect(try second.data["+is_first_session"] == false)
            #expect(second.object["identity_id"] == first.object["identity_id"])
        }
    }

    @Test func theWindowOfInstallsHoldsForADeviceThatAServerReportsFirst() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let id = "6d92078a-8246-4ba4-ae5b-76104861e7dc"
            let user = Self.user.merging([
                "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret), "os": "Android",
                "google_advertising_id": .string(id),
            ])
            let newUser = user.merging(["hardware_id": "H-2"])
            _ = try await exchange.post("/v1/open", .object(user))
            let link = try await exchange.createLink(app.live.key.branchKey)
            _ = try await exchange.get(link + "?%24aaid=\(id)", userAgent: UserAgents.android, from: "198.51.100.9")
            exchange.installation.clock.advance(by: .seconds(40 * 86400))
            try await exchange.services.maintenance.runOnce()

            // By default 30 days after a click for an install, 90 for an open.
            #expect(try await exchange.post("/v1/open", .object(newUser)).data["+clicked_branch_link"] == false)
            #expect(try await exchange.post("/v1/open", .object(user)).data["+clicked_branch_link"] == true)
        }
    }

    @Test func aServersOwnAddressIsNotItsUsers() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.get(try await exchange.createLink(app.live.key.branchKey))
            let answer = try await exchange.post(
                "/v1/open",
                .object(
                    Self.user.merging([
                        "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret), "ip": nil,
                    ])))
            #expect(try answer.data["+clicked_branch_link"] == false)
        }
    }

    @Test func withoutTheSecretItIsRefused() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            for secret: JSON in [nil, "", "wrong"] {
                let answer = try await exchange.post(
                    "/v1/open",
                    .object(Self.user.merging(["branch_key": .string(app.live.key.branchKey), "branch_secret": secret])))
                #expect(answer.status == 400)
            }
        }
    }

    private static let mistakes: [(field: String, value: JSON)] = [
        ("os", "Windows"), ("os", nil), ("os_version", ""), ("app_version", nil), ("model", nil), ("ad_tracking_enabled", nil),
        ("ad_tracking_enabled", "maybe"), ("is_hardware_id_real", nil), ("ip", "nowhere"),
    ]

    @Test(arguments: mistakes)
    func aMissingFieldIsNamed(field: String, value: JSON) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let answer = try await exchange.post(
                "/v1/open",
                .object(
                    Self.user.merging([
                        "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret), field: value,
                    ])))
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains(field) == true)
        }
    }
}
