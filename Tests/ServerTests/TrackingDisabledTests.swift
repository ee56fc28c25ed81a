import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Requests with tracking disabled get the usual answers and leave no identifying data.
@Suite struct TrackingDisabledTests {
    private static let spellings: [JSON] = [true, 1, "true", "1"]

    @Test(arguments: spellings)
    func noCallWritesAnythingThatIdentifies(spelling: JSON) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["variety": "Cox"]])
            let click = try #require(try await exchange.get(path, from: "192.0.2.1").linkClickID)
            let known = try await exchange.install(key, from: "192.0.2.2").object
            let before = try await exchange.everything()

            let person: JSONObject = [
                "branch_key": .string(key), "tracking_disabled": spelling, "hardware_id": "H-1", "is_hardware_id_real": true,
                "ios_vendor_id": "V-1", "os": "iOS", "os_version": "17.5.1", "identity": "ann", "model": "iPhone14,5",
                "name": "e", "event": "e", "branch_sdk_request_unique_id": "R-1", "phone": "+15551234567",
                "session_id": known["session_id"]!, "identity_id": known["identity_id"]!,
                "device_fingerprint_id": known["device_fingerprint_id"]!,
            ]
            let byClick = try await exchange.post("/v1/install", .object(person.merging(["link_identifier": .string(click)])))
            #expect(try byClick.data["variety"] == "Cox")
            let byLink = try await exchange.post(
                "/v1/open", .object(person.merging(["universal_link_url": .string("https://go.example.com" + path)])))
            #expect(try byLink.data["variety"] == "Cox")
            for call in [
                "/v1/event", "/v2/event/standard", "/v2/event/custom", "/v1/pageview", "/v1/register-view", "/v1/dismiss",
                "/v1/content-events", "/v1/profile", "/v1/logout", "/v1/close", "/v1/cpid", "/v1/cpid/latd",
                "/c/\(click)",
            ] {
                let answer = try await exchange.post(call, .object(person))
                #expect(answer.status == 200, "\(call)")
            }
            let v2: JSONObject = [
                "branch_key": .string(key), "name": "e", "user_data": ["tracking_disabled": spelling, "idfa": "I-1"],
            ]
            let event = try await exchange.post("/v2/event/custom", .object(v2))
            #expect(event.status == 200)
            let match = try await exchange.get(
                "/_strong_match?tracking_disabled=\(spelling.scalarText!)&hardware_id=H-1&branch_key=\(key)",
                headers: [.cookie: "_s=\(known["device_fingerprint_id"]!.string!)"])
            #expect(match.status == 200)
            #expect(try await exchange.everything() == before)
        }
    }

    @Test func aLinkCreatedWithTrackingDisabledHasNoOwner() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.createLink(key, ["tracking_disabled": true, "identity": "ann", "alias": "pears"])
            #expect(try await exchange.services.links.find("pears").owner == nil)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM identities") == 0)
        }
    }
}

extension Exchange {
    /// Every row of every table, as text.
    fileprivate func everything() async throws -> [String: [String]] {
        try await installation.storage.write { transaction in
            let connection = (transaction as! SQLTransaction).connection
            let tables = Dictionary(grouping: try Engine.columns(connection).filter { $0.table != "nodes" }, by: \.table)
            return try tables.reduce(into: [:]) { rows, table in
                let row = table.value.map { "COALESCE(\($0.shown), 'NULL')" }.joined(separator: " || ',' || ")
                rows[table.key] = try connection.query(SQL(text: "SELECT \(row) FROM \(table.key) ORDER BY 1", values: [])) {
                    $0.text(0)
                }
            }
        }
    }
}
