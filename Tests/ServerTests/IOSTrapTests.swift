import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Details of the iOS SDK that a server easily gets wrong, version by version.
@Suite struct IOSTrapTests {
    @Test func sessionDataIsATextThatHoldsAnObject() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for answer in [try await exchange.install(key), try await exchange.post("/v1/open", ["branch_key": .string(key)])] {
                let text = try #require(answer.object["data"]?.string)
                #expect(try JSON.parse(text).object != nil)
            }
        }
    }

    @Test func everyErrorIsAnObjectWhoseCodeIsTheStatus() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.createLink(key, ["alias": "taken", "data": ["a": 1]])
            for answer in [
                try await exchange.post("/v1/install", [:]), try await exchange.post("/v1/url", ["branch_key": "key_live_unknown"]),
                try await exchange.post("/v1/url", ["branch_key": .string(key), "alias": "taken"]),
                try await exchange.post("/v1/redeem", ["branch_key": .string(key), "amount": 1]),
                try await exchange.post("/v1/nothing", [:]), try await exchange.send(.post, "/v1/open", body: Array("{".utf8)),
                try await exchange.get("/sdk/uriskiplist_v0.json"),
            ] {
                #expect(answer.status >= 400)
                #expect(answer.errorCode == .integer(Int64(answer.status)), "\(answer.body)")
                #expect(answer.errorMessage?.isEmpty == false)
            }
        }
    }

    @Test func flatV2EventsAreStoredUnderTheDeviceThatTheirHardwareIdNames() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.install(key, ["ios_vendor_id": "V-1", "sdk": "ios0.25.9"])
            let answer = try await exchange.post(
                "/v2/event/custom",
                [
                    "branch_key": .string(key), "name": "INVITE", "custom_data": ["a": "b"], "sdk": "ios0.25.9", "os": "iOS",
                    "hardware_id": "V-1", "hardware_id_type": "vendor_id", "is_hardware_id_real": true, "ios_vendor_id": "V-1",
                ])
            #expect(answer.status == 200)
            #expect(
                try await exchange.rows("SELECT COUNT(*) FROM events WHERE device_id IS NOT NULL AND identity_id IS NOT NULL") == 1)
        }
    }

    @Test func theIdentityIsInEveryOpenSoThatNoUserIsLoggedOut() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key, ["identity": "ann"])
            let open = try await exchange.post(
                "/v1/open", ["branch_key": .string(key), "randomized_bundle_token": install.object["randomized_bundle_token"]!])
            #expect(install.object["identity"] == "ann")
            #expect(open.object["identity"] == "ann")
        }
    }

    @Test func evenANameThatIsTooLongIsRepeated() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let name = JSON.string(String(repeating: "x", count: 200))
            #expect(try await exchange.install(key, ["identity": name]).object["identity"] == name)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM identities WHERE developer_identity IS NOT NULL") == 0)
        }
    }

    @Test func whatWouldRaiseAnExceptionInTheAppIsLeftOut() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data: JSON = ["bnc_validate": ["x": 1], "ct": nil, "~tags": ["a", nil, ["b"]], "$og_title": nil, "mine": nil]
            let path = try await exchange.createLink(key, ["data": data])
            let session = try await exchange.install(key, ["universal_link_url": .string("https://go.example.com" + path)]).data
            #expect(session["bnc_validate"] == nil && session["ct"] == nil && session["$og_title"] == nil)
            #expect(session["~tags"] == ["a"])
            #expect(session["mine"] == JSON.null)
        }
    }

    @Test(arguments: ["ios0.20.3", "ios1.39.4", "ios1.40.0", "ios3.14.0"])
    func bothNamesOfBothTokensAndTheSessionAreInTheFirstAnswer(sdk: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.install(key, ["sdk": .string(sdk)]).object
            for name in [
                "session_id", "identity_id", "randomized_bundle_token", "device_fingerprint_id", "randomized_device_token", "link",
            ] {
                #expect(answer[name]?.string?.isEmpty == false, "\(name)")
            }
            let parameter = ["ios0.20.3", "ios1.39.4"].contains(sdk) ? "%24identity_id=" : "%24randomized_bundle_token="
            #expect(answer["link"]?.string?.contains(parameter) == true)
        }
    }

    @Test(arguments: ["/v1/profile", "/v1/logout"])
    func profileAndLogoutRepeatWhatTheSDKWouldOtherwiseLose(call: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key).object
            let answer = try await exchange.post(
                call,
                [
                    "branch_key": .string(key), "identity": "ann", "identity_id": install["identity_id"]!,
                    "device_fingerprint_id": install["device_fingerprint_id"]!, "session_id": install["session_id"]!,
                ])
            for name in ["identity_id", "link", "session_id"] {
                #expect(answer.object[name]?.string?.isEmpty == false, "\(name)")
            }
        }
    }

    @Test func nothingInAnAnswerIsNullOrANumberWhereATextIsRead() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["channel": nil, "alias": nil, "stage": "", "data": ["a": "b"]])
            let click = try #require(try await exchange.get(path).linkClickID)
            let answer = try await exchange.install(key, ["link_identifier": .string(click), "identity": nil])
            for (name, value) in answer.object { #expect(value.string != nil, "\(name)") }
            #expect(!answer.body.contains("null"))
        }
    }

    @Test func creditHistoryIsABareArrayAndCreditsAreABareObject() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let identity = try #require(try await exchange.install(key).object["identity_id"]?.string)
            let credits = try await exchange.get("/v1/credits/\(identity)?sdk=ios0.25.9&retryNumber=0&branch_key=\(key)")
            #expect(!credits.object.isEmpty)
            for (bucket, amount) in credits.object { #expect(amount.scalarText.flatMap { Int64($0) } != nil, "\(bucket)") }
            let history = try await exchange.post(
                "/v1/credithistory",
                ["branch_key": .string(key), "identity_id": .string(identity), "length": 100, "direction": "desc"])
            #expect(history.json.array == [])
        }
    }

    @Test(
        arguments: [
            ["branch_sdk_request_unique_id": "7A1D5C1E-0000-2027011508"], ["retryNumber": 0],
        ] as [JSONObject])
    func aRetryChangesNothing(hint: JSONObject) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let body = hint.merging(["branch_key": .string(key), "os": "iOS", "os_version": "17.5.1"])
            let first = try await exchange.post("/v1/install", .object(body))
            let retry = hint["retryNumber"] == nil ? body : body.merging(["retryNumber": 1])
            for _ in 1...3 {
                #expect(try await exchange.post("/v1/install", .object(retry)).body == first.body)
            }
            #expect(try await exchange.rows("SELECT COUNT(*) FROM sessions") == 1)
        }
    }

    @Test func misspelledAndOddNamesAreReadAsTheyAre() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.install(
                key,
                [
                    "lastest_update_time": 1_700_000_000_000, "screen_dpi": 3, "retryNumber": 0, "debug": false, "update": 0,
                    "is_hardware_id_real": 1,
                ])
            #expect(answer.status == 200)
            for value: JSON in [1, true, "true", "1"] {
                let before = try await exchange.rows("SELECT COUNT(*) FROM sessions")
                #expect(try await exchange.install(key, ["tracking_disabled": value]).status == 200)
                #expect(try await exchange.rows("SELECT COUNT(*) FROM sessions") == before)
            }
        }
    }

    @Test func noAnswerSwitchesAnythingOn() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for (call, body) in [
                ("/v1/install", ["cd": ["mv": "-1", "pn": "x"]]), ("/v1/open", [:]), ("/v1/close", [:]),
                ("/v1/event", ["event": "e"]),
                ("/v2/event/standard", ["name": "VIEW_ITEM"]), ("/v1/register-view", [:]),
            ] as [(String, JSONObject)] {
                let answer = try await exchange.post(call, .object(body.merging(["branch_key": .string(key)])))
                #expect(answer.status == 200)
                for name in ["invoke_features", "branch_view_data", "cd", "template", "invoke_register_app"] {
                    #expect(answer.object[name] == nil, "\(call) \(name)")
                }
            }
        }
    }

    @Test func thereIsNoSkipListNewerThanTheSDKs() async throws {
        try await Exchange.run { exchange in
            for version in [0, 1, 3] {
                let answer = try await exchange.get("/sdk/uriskiplist_v\(version).json")
                #expect(answer.status == 404)
            }
        }
    }

    @Test func rawControlCharactersDoNotCostAnInstall() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let body =
                "{\"branch_key\":\"\(key)\",\"model\":\"a\u{1}b\u{1F}c\",\"debug\":0,\"metadata\":{\"x\":\"line\u{0B}break\"}}"
            #expect(try await exchange.send(.post, "/v1/install", body: Array(body.utf8)).status == 200)
        }
    }
}
