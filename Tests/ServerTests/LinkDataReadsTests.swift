import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The data of a link, which its sessions keep, may be 64 KiB. What runs in the only writer does not parse it, because all other writes
/// wait for it.
@Suite struct LinkDataReadsTests {
    /// Makes the data of all links unreadable, so that a call that parses it fails.
    private static func spoilLinkData(_ exchange: Exchange) async throws {
        try await exchange.installation.storage.write {
            try ($0 as! SQLTransaction).connection.execute("UPDATE links SET data = 'unreadable'")
        }
    }

    @Test(arguments: [["type": 1], ["data": ["$one_time_use": true]], ["max_clicks": 9]] as [JSONObject])
    func aVisitOfALinkWithAUsageLimitDoesNotReadItsData(fields: JSONObject) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, fields)
            _ = try await exchange.get(path)
            try await Self.spoilLinkData(exchange)
            #expect(try await exchange.get(path).linkClickID != nil)
            #expect(try await exchange.get(path, userAgent: UserAgents.googlebot).status == 200)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks") == 3)
        }
    }

    @Test(arguments: [["type": 1], ["max_clicks": 9], [:]] as [JSONObject])
    func aSessionByALinkThatWasFoundBeforeItsTransactionDoesNotReadTheLinkAgain(fields: JSONObject) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, fields.merging(["data": ["coupon": "RIPE"]]))
            _ = try await exchange.get(path)
            try await Self.spoilLinkData(exchange)
            let url = JSON.string("https://go.example.com" + path)
            let install = try await exchange.install(key, ["universal_link_url": url, "is_referrable": 1], from: "192.0.2.1")
            #expect(try install.data["coupon"] == "RIPE")
            let texts = "SELECT COUNT(*) FROM sessions JOIN identities ON identities.id = sessions.identity_id"
            #expect(try await exchange.rows(texts + " WHERE first_session_data = sessions.data") == 1)
        }
    }

    /// A click id in the launch names the link, which is read before the transaction: here its data is spoiled while that runs.
    @Test func aSessionByAClickIDReadsTheLinkBeforeItsTransaction() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["type": 1, "data": ["coupon": "RIPE"]])
            let click = try #require(try await exchange.get(path).linkClickID)
            try await exchange.installation.storage.write {
                try Engine.createTrigger(
                    "spoil_links", after: "INSERT ON devices", running: "UPDATE links SET data = 'unreadable'",
                    ($0 as! SQLTransaction).connection)
            }
            let install = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.1")
            #expect(try install.data["coupon"] == "RIPE")
        }
    }

    @Test func aSessionByAClickOfADeletedLinkGetsNothingOfIt() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["coupon": "RIPE"]])
            let click = try #require(try await exchange.get(path).linkClickID)
            try await exchange.installation.storage.write {
                try ($0 as! SQLTransaction).connection.execute("UPDATE links SET deleted_at = 1")
            }
            let install = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.1")
            #expect(try install.data["coupon"] == nil)
        }
    }

    /// A session keeps the data of its link.
    @Test func anEventOfASessionDoesNotReadTheSessionsData() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let session = try #require(try await exchange.install(key).object["session_id"])
            try await exchange.installation.storage.write {
                try ($0 as! SQLTransaction).connection.execute(
                    "UPDATE sessions SET data = 'unreadable', explanation = 'unreadable'")
            }
            let event: JSONObject = ["branch_key": .string(key), "session_id": session, "event": "picked"]
            #expect(try await exchange.post("/v1/event", .object(event)).status == 200)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM events WHERE session_id IS NOT NULL") == 1)
        }
    }

    /// The window appended to a link is found in its query without decoding the rest.
    @Test func anAppendedWindowOverridesTheLinksOwnForSessions() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let data: JSON = ["$click_install_window_days": 9]
            for (appended, isAttributed) in [
                ("", true), ("?a=b&$click_install_window_days=2&c=d", false), ("?%24click_install_window_days=2", false),
                ("?click_install_window_days=2", true), ("?$click_install_window_days=2&$click_install_window_days=7", true),
                ("?$click_install_window_days=", true),
            ] {
                let path = try await exchange.createLink(key, ["data": data])
                let click = try #require(try await exchange.get(path + appended).linkClickID)
                // Without a value it is the app's window of 30 days.
                let days = appended.hasSuffix("=") ? 20 : 5
                exchange.installation.clock.advance(by: .seconds(days * 86400))
                let install = try await exchange.install(key, ["link_identifier": .string(click)], from: "192.0.2.1")
                #expect(try install.data["+clicked_branch_link"] == .bool(isAttributed), "\(appended)")
            }
        }
    }
}
