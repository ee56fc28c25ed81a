import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct EventRoutesTests {
    private struct Row: Sendable, Equatable {
        var endpoint: String
        var name: String
        var hasDevice: Bool
        var hasIdentity: Bool
        var body: JSON
    }

    private static func rows(_ exchange: Exchange) async throws -> [Row] {
        try await exchange.installation.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.query(
                "SELECT endpoint, name, device_id, identity_id, body FROM events ORDER BY id"
            ) { row in
                Row(
                    endpoint: row.text(0), name: row.text(1), hasDevice: !row.isNull(2), hasIdentity: !row.isNull(3),
                    body: try JSON.parse(row.text(4)))
            }
        }
    }

    @Test func anEventOfTheNewestSDKIsStoredWholeUnderItsDeviceAndUser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let device = try #require(try await exchange.install(key, ["identity": "ann"]).object["randomized_device_token"])
            let body: JSONObject = [
                "name": "PURCHASE", "event_data": ["revenue": .decimal("180.20"), "currency": "EUR"], "custom_data": ["a": "b"],
                "content_items": [["$sku": "x"]],
                "user_data": ["randomized_device_token": device, "developer_identity": "ann", "os": "iOS"],
            ]
            let answer = try await exchange.post("/v2/event/standard", .object(body.merging(["branch_key": .string(key)])))
            #expect(answer.body == #"{"branch_view_enabled":false}"#)
            #expect(
                try await Self.rows(exchange) == [
                    Row(endpoint: "v2/event/standard", name: "PURCHASE", hasDevice: true, hasIdentity: true, body: .object(body))
                ])
        }
    }

    @Test func aWebEventsFieldsOfJSONTextAreOpened() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let form =
                "name=SEARCH&event_data=%7B%22search_query%22%3A%22pears%22%7D&user_data=%7B%22os%22%3A%22web%22%7D&branch_key=\(key)"
            let answer = try await exchange.send(.post, "/v2/event/custom", body: Array(form.utf8))
            #expect(answer.status == 200)
            let row = try #require(try await Self.rows(exchange).first)
            #expect(row.body.object?["event_data"] == ["search_query": "pears"])
        }
    }

    /// Opened, it would be one level deeper in the stored body, which then could not be read.
    @Test(arguments: [JSONLimits.untrusted.depth, JSONLimits.stored.depth])
    func whatIsStoredOfADeepTextCanBeRead(depth: Int) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let deep = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
            let answer = try await exchange.post(
                "/v2/event/custom", ["name": "pruned", "branch_key": .string(key), "custom_data": .string(deep)])
            #expect(answer.status == 200)
            let row = try #require(try await Self.rows(exchange).first)
            #expect((row.body.object?["custom_data"]?.object != nil) == (depth <= JSONLimits.untrusted.depth))
        }
    }

    @Test func aFlatEventOfAnOldSDKFindsItsUserByTheTokensAtItsTop() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let install = try await exchange.install(key)
            let answer = try await exchange.post(
                "/v1/event",
                [
                    "branch_key": .string(key), "event": "signed up", "metadata": ["plan": "free"],
                    "device_fingerprint_id": install.object["device_fingerprint_id"]!, "session_id": install.object["session_id"]!,
                ])
            #expect(answer.body == "{}")
            let row = try #require(try await Self.rows(exchange).first)
            #expect((row.name, row.hasDevice, row.hasIdentity) == ("signed up", true, true))
        }
    }

    @Test(arguments: [
        ("/v1/pageview", "pageview"), ("/v1/dismiss", "dismiss"), ("/v1/register-view", "register-view"),
        ("/v1/content-events", "content-events"),
    ])
    func aReportWithoutANameHasThatOfItsCall(path: String, name: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post(path, ["branch_key": .string(key)])
            #expect(answer.body == "{}")
            #expect(try await Self.rows(exchange).map(\.name) == [name])
        }
    }

    @Test func aSecretIsNeverStored() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.post(
                "/v2/event/custom",
                ["branch_key": .string(app.live.key.branchKey), "branch_secret": .string(app.live.secret), "name": "x"])
            #expect(try await Self.rows(exchange).first?.body == ["name": "x"])
        }
    }

    @Test(arguments: [true, 1, "true"] as [JSON])
    func whoDoesNotWantToBeTrackedIsNotRecorded(value: JSON) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.post(
                "/v2/event/custom", ["branch_key": .string(key), "name": "x", "tracking_disabled": value])
            #expect(answer.status == 200)
            #expect(try await Self.rows(exchange).isEmpty)
        }
    }
}
