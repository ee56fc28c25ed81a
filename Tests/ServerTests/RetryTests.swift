import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// A retried call gets the first call's answer and writes nothing twice.
@Suite struct RetryTests {
    private static func count(_ table: StaticString, _ exchange: Exchange) async throws -> Int64? {
        try await exchange.installation.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.first("SELECT COUNT(*) FROM \(raw: table)") { $0.integer(0) }
        }
    }

    @Test func anInstallTriedAgainIsTheSameInstall() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key, ["data": ["variety": "Cox"]]))
            let id: JSONObject = ["branch_sdk_request_unique_id": "6F9619FF-2027011508"]

            let first = try await exchange.install(key, id.merging(["retryNumber": 0]))
            let again = try await exchange.install(key, id.merging(["retryNumber": 1]))

            #expect(first.body == again.body)
            #expect(try again.data["variety"] == "Cox")
            #expect(try await Self.count("sessions", exchange) == 1)
            #expect(try await Self.count("devices", exchange) == 1)
        }
    }

    /// The recorded data is parsed after the transaction, so it must arrive by another way than that of the first try.
    @Test func anInstallTriedAgainHasTheDataOfALargeLink() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let large: JSONObject = [
                "text": .string(String(repeating: "x", count: 60_000)), "row": [1, .decimal("1.50"), ["a": nil]],
            ]
            _ = try await exchange.get(try await exchange.createLink(key, ["data": .object(large)]))
            let id: JSONObject = ["branch_sdk_request_unique_id": "6F9619FF-2027011508"]

            let first = try await exchange.install(key, id.merging(["retryNumber": 0]))
            let again = try await exchange.install(key, id.merging(["retryNumber": 1]))

            #expect(first.body == again.body)
            #expect(try again.data["row"] == large["row"])
            #expect(try again.data["+clicked_branch_link"] == true)
        }
    }

    @Test func aLinkTriedAgainIsTheSameLink() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let id: JSONObject = ["branch_sdk_request_unique_id": "6F9619FF-2027011508", "channel": "x"]
            let first = try await exchange.createLink(key, id)
            let again = try await exchange.createLink(key, id)
            let other = try await exchange.createLink(key, ["branch_sdk_request_unique_id": "OTHER", "channel": "x"])
            #expect(first == again)
            #expect(first != other)
        }
    }

    @Test func anEventTriedAgainIsOneEvent() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for number in 0..<3 {
                _ = try await exchange.post(
                    "/v2/event/custom",
                    [
                        "branch_key": .string(key), "name": "x", "branch_sdk_request_unique_id": "A",
                        "retryNumber": .integer(Int64(number)),
                    ])
            }
            #expect(try await Self.count("events", exchange) == 1)
        }
    }

    @Test func anOldSDKsRetryIsKnownByItsNumberAndBody() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            func event(_ name: String, retry: Int64, timing: String = "1") async throws {
                _ = try await exchange.post(
                    "/v1/event",
                    [
                        "event": .string(name), "retryNumber": .integer(retry),
                        "instrumentation": ["/v1/open-brtt": .string(timing)],
                        "branch_key": .string(key), "metadata": ["b": 1, "a": 2],
                    ])
            }
            try await event("x", retry: 0)
            try await event("x", retry: 1, timing: "2")
            #expect(try await Self.count("events", exchange) == 1)
            try await event("x", retry: 0)
            try await event("y", retry: 1)
            #expect(try await Self.count("events", exchange) == 3)
            exchange.installation.clock.advance(by: .seconds(61))
            try await event("x", retry: 2)
            #expect(try await Self.count("events", exchange) == 4)
        }
    }

    @Test func aNumberedRetryFromAnotherAddressIsAnotherOpen() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let body: JSONObject = ["hardware_id": "H-1", "is_hardware_id_real": true]
            let first = try await exchange.install(key, body.merging(["retryNumber": 0]), from: "192.0.2.1")
            let again = try await exchange.install(key, body.merging(["retryNumber": 1]), from: "192.0.2.1")
            let other = try await exchange.install(key, body.merging(["retryNumber": 1]), from: "192.0.2.2")
            #expect(again.body == first.body)
            #expect(other.status == 200)
            #expect(other.object["session_id"] != first.object["session_id"])
            #expect(try await Self.count("sessions", exchange) == 2)
        }
    }

    @Test func aNumberedRetryIsRecordedWithoutTheAddressOfItsClient() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.install(key, ["hardware_id": "H-1", "retryNumber": 0], from: "192.0.2.1")
            let recorded = try await exchange.installation.storage.write { transaction in
                try (transaction as! SQLTransaction).connection.first("SELECT request_key FROM requests") { $0.text(0) }
            }
            let text = try #require(recorded)
            #expect(text.utf8.count == 64 && text.allSatisfy(\.isHexDigit))
        }
    }

    @Test func aRetriedLogoutCreatesNoFurtherUser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let device = try #require(try await exchange.install(key, ["identity": "ann"]).object["device_fingerprint_id"])
            func logout(retry: Int64) async throws -> String {
                try await exchange.post(
                    "/v1/logout",
                    ["branch_key": .string(key), "device_fingerprint_id": device, "retryNumber": .integer(retry)]
                ).body
            }
            let first = try await logout(retry: 0)
            let again = try await logout(retry: 1)
            #expect(first == again)
            #expect(try await Self.count("sessions", exchange) == 2)
        }
    }

    @Test func aRetryIsForgottenAfterADay() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let id: JSONObject = ["branch_sdk_request_unique_id": "A"]
            let first = try await exchange.createLink(key, id)
            exchange.installation.clock.advance(by: .seconds(86401))
            try await exchange.services.maintenance.runOnce()
            #expect(try await Self.count("requests", exchange) == 0)
            let later = try await exchange.createLink(key, id)
            #expect(first != later)
        }
    }

    @Test func aRetryIsKnownAfterACrashAndByAnotherServer() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            let (key, first) = try await Exchange.run(path: path) { exchange in
                let key = try await exchange.installation.createApp().live.key.branchKey
                return (key, try await exchange.install(key, ["branch_sdk_request_unique_id": "A"]).body)
            }
            let again = try await Exchange.run(path: path) { exchange in
                try await exchange.install(key, ["branch_sdk_request_unique_id": "A"]).body
            }
            #expect(first == again)
        }
    }

    @Test func anotherAppsCallWithTheSameIdIsAnotherCall() async throws {
        try await Exchange.run { exchange in
            let id: JSONObject = ["branch_sdk_request_unique_id": "A"]
            let mine = try await exchange.install(exchange.installation.createApp("A").live.key.branchKey, id)
            let theirs = try await exchange.install(exchange.installation.createApp("B").live.key.branchKey, id)
            #expect(mine.object["session_id"] != theirs.object["session_id"])
        }
    }
}
