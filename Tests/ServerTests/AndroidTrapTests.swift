import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Details of the Android and C++ SDKs that a server easily gets wrong.
@Suite struct AndroidTrapTests {
    @Test(arguments: [
        "/v1/install", "/v1/open", "/v1/close", "/v1/event", "/v2/event/custom", "/v1/register-view", "/v1/profile", "/v1/logout",
    ])
    func successIs200WithAnObject(call: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post(call, ["branch_key": .string(key), "identity": "ann", "name": "x"])
            #expect(answer.status == 200)
            #expect(answer.json.object != nil)
        }
    }

    @Test func aBadFieldIs400SoThatTheQueueGoesOn() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for (call, body) in [
                ("/v1/url", ["alias": 5]), ("/v1/url", ["type": "x"]), ("/v1/profile", [:]), ("/v1/redeem", ["amount": -1]),
            ] as [(String, JSONObject)] {
                #expect(try await exchange.post(call, .object(body.merging(["branch_key": .string(key)]))).status == 400)
            }
            #expect(try await exchange.post("/v1/install", ["branch_key": "key_live_unknown"]).status == 400)
        }
    }

    @Test func tokensAreReadByEitherName() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key).object
            for (device, identity) in [
                ("device_fingerprint_id", "identity_id"), ("randomized_device_token", "randomized_bundle_token"),
            ] {
                let open = try await exchange.post(
                    "/v1/open", ["branch_key": .string(key), device: install[device]!, identity: install[identity]!])
                #expect(open.object[device] == install[device])
                #expect(open.object[identity] == install[identity])
            }
        }
    }

    @Test(arguments: ["bnc_no_value", "", nil] as [JSON])
    func anUnsetTokenIsNone(unset: JSON) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post(
                "/v1/open",
                [
                    "branch_key": .string(key), "randomized_device_token": unset, "randomized_bundle_token": unset,
                    "identity": unset,
                    "link_identifier": unset, "hardware_id": unset, "is_hardware_id_real": true,
                ])
            #expect(answer.status == 200)
            #expect(answer.object["identity"] == nil)
            #expect(try answer.data == ["+clicked_branch_link": false, "+is_first_session": true])
            let event = try await exchange.post(
                "/v2/event/custom",
                [
                    "branch_key": .string(key), "name": "x",
                    "user_data": .object(["developer_identity": unset, "randomized_device_token": unset]),
                ])
            #expect(event.status == 200)
        }
    }

    @Test func theDeviceTokenAloneFindsItsUser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key, ["identity": "ann"]).object
            let open = try await exchange.post(
                "/v1/open", ["branch_key": .string(key), "device_fingerprint_id": install["device_fingerprint_id"]!])
            #expect(open.object["identity_id"] == install["identity_id"])
        }
    }

    @Test func linkDataIsAnObjectOrItsText() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for data: JSON in [["a": 1], #"{"a":1}"#] {
                let path = try await exchange.createLink(key, ["data": data])
                let data = try await exchange.install(key, ["android_app_link_url": .string("https://go.example.com" + path)]).data
                #expect(data["a"] == 1)
            }
        }
    }

    @Test func aClickIdMayBeANumberAndAnUnknownOneIsAPlainOpen() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try #require(try await exchange.get(try await exchange.createLink(key)).linkClickID)
            let number = try #require(Int64(click))
            let known = try await exchange.install(key, ["link_identifier": .integer(number)], from: "192.0.2.7")
            #expect(try known.data["+clicked_branch_link"] == true)
            for unknown: JSON in [811_645_508_874_040_815, "811645508874040815", "x", -1, .decimal("1.5e3")] {
                let answer = try await exchange.install(key, ["link_identifier": unknown], from: "192.0.2.8")
                #expect(answer.status == 200)
                #expect(try answer.data["+clicked_branch_link"] == false)
            }
        }
    }

    @Test func anOpenWithoutTokensIsAnInstallAndSoIsAnInstall() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for call in ["/v1/open", "/v1/install"] {
                #expect(try await exchange.post(call, ["branch_key": .string(key)]).data["+is_first_session"] == true)
            }
        }
    }

    @Test func longLinksWithDamagedDataAreStillLinks() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            // Truncated by C++ 1.2.0, whole, in lines, and encoded twice. A number may have lost a digit together with the brace.
            for (data, value) in [
                ("eyJhIjoxfQ==", 1), ("eyJhIjoxfQ", 1), ("eyJhIjoxfQ%0A", 1), ("eyJhIjox", nil), ("eyJhIjoiYiIsImMiOiJkIg", "b"),
                ("eyJhIjoxfQ%253D%253D", 1), ("eyJh%0D%0AIjox%0AfQ%3D%3D%0A", 1),
            ] as [(String, JSON?)] {
                let page = try await exchange.get("/a/\(key)?tags=one&tags=two&channel=c&data=\(data)")
                #expect(page.status == 200)
                let click = try #require(page.linkClickID)
                let session = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.7").data
                #expect(session["a"] == value)
                #expect(session["~tags"] == ["one", "two"])
            }
        }
    }

    @Test func theOrderOfKeysAndTheHeadersDoNotMatter() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for type in ["application/json", "application/x-www-form-urlencoded", "image/png", nil] {
                let body = "{\"zz\":1,\"os\":\"Android\",\"branch_key\":\"\(key)\",\"aa\":{}}"
                let answer = try await exchange.send(
                    .post, "/v1/install", headers: type.map { [.contentType: $0] } ?? [:], body: Array(body.utf8))
                #expect(answer.status == 200)
            }
        }
    }

    @Test func thePlayStoreIsHandedTheClick() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let page = try await exchange.get(try await exchange.createLink(key), userAgent: UserAgents.android)
            let referrer = try #require(page.body.firstMatch(of: /referrer=link_click_id%3D([0-9]{18})/)?.1)
            let install = try await exchange.install(
                key,
                [
                    "os": "Android", "os_version": 34, "link_identifier": .string(String(referrer)),
                    "install_referrer_extras": .string("link_click_id=\(referrer)"),
                ], from: "192.0.2.7")
            #expect(try install.data["+match_guaranteed"] == true)
        }
    }

    @Test(arguments: [
        "link_click_id=ID", "utm_source=mail&link_click_id=ID&utm_medium=x", "link_click_id%3DID%26utm_source%3Dmail",
        "utm_source%253Dmail%2526link_click_id%253DID", "link_click_id-ID", "referrer=link_click_id%3DID",
    ])
    func theStoresReferrerAloneTellsWhichClickBroughtTheInstall(spelling: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["variety": "Cox"]])
            let server: JSONObject = [
                "branch_key": .string(key), "branch_secret": .string(app.live.secret), "server_to_server": true, "os": "Android",
                "os_version": "NA", "app_version": "1", "model": "NA", "ad_tracking_enabled": false, "is_hardware_id_real": false,
            ]
            for (call, fields) in [
                ("/v1/install", ["branch_key": .string(key), "os": "Android"]), ("/v1/open", ["branch_key": .string(key)]),
                ("/v1/open", server),
            ] as [(String, JSONObject)] {
                let click = try #require(try await exchange.get(path, userAgent: UserAgents.android).linkClickID)
                let referrer = JSON.string(spelling.replacing("ID", with: click))
                let install = try await exchange.post(
                    call, .object(fields.merging(["install_referrer_extras": referrer])), from: "192.0.2.7")
                let data = try install.data
                #expect(data["variety"] == "Cox" && data["+match_guaranteed"] == true && data["+is_first_session"] == true)
                #expect(install.object["link_click_id"] == .string(click))
            }
        }
    }

    @Test(
        arguments: [
            "link_click_id=pears", "link_click_id=", "link_click_id", "%", "a%3", "utm_source=mail", "mylink_click_id=1", 7, ["a"],
        ] as [JSON])
    func aReferrerThatNamesNoClickIsAPlainInstall(referrer: JSON) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.install(key, ["os": "Android", "install_referrer_extras": referrer])
            #expect(answer.status == 200)
            #expect(try answer.data["+clicked_branch_link"] == false)
        }
    }

    @Test func theReferrerOfAnInstallIsNoClickOfALaterOpen() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try #require(
                try await exchange.get(try await exchange.createLink(key), userAgent: UserAgents.android).linkClickID)
            let referrer: JSONObject = ["install_referrer_extras": .string("link_click_id=\(click)")]
            let install = try await exchange.install(key, referrer, from: "192.0.2.7")
            #expect(try install.data["+clicked_branch_link"] == true)
            let open = try await exchange.post(
                "/v1/open",
                .object(
                    referrer.merging([
                        "branch_key": .string(key), "randomized_device_token": install.object["randomized_device_token"]!,
                    ])), from: "192.0.2.7")
            #expect(try open.data["+clicked_branch_link"] == false)
        }
    }

    @Test func idsOfOldSessionsThatArriveLateAreAccepted() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key).object
            exchange.installation.clock.advance(by: .seconds(400 * 86400))
            let body: JSONObject = [
                "branch_key": .string(key), "event": "late", "session_id": install["session_id"]!,
                "identity_id": install["identity_id"]!, "device_fingerprint_id": install["device_fingerprint_id"]!,
            ]
            #expect(try await exchange.post("/v1/event", .object(body)).status == 200)
            #expect(try await exchange.post("/v1/close", .object(body)).status == 200)
        }
    }
}
