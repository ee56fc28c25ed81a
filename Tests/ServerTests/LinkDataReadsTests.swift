import Linden
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// A link's data may be 64 KiB. What runs in the only writer does not parse it, because all other writes wait meanwhile.
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
