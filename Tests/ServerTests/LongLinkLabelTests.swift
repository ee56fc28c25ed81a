import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The labels of long links, which have no row of their own.
@Suite struct LongLinkLabelTests {
    private static let visitor = "192.0.2.1"

    /// Its query may have 16 KiB of encoded data, and there may be thousands of events for each click.
    @Test func visitsSessionsAndEventsAreCountedByThemWithoutTheLinksQuery() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key
            try await visit(key, exchange)
            #expect(try await exchange.rows("UPDATE clicks SET query = 'channel=other' RETURNING 1") == 1)
            exchange.installation.clock.advance(by: .seconds(60))
            try await exchange.services.rollups.aggregate()

            let day = exchange.installation.clock.now.day
            for topic: Topic in [.click, .install, .customEvent] {
                let counted = try await exchange.installation.storage.read { reader in
                    var values: [String] = []
                    try reader.visitRollups(of: key.scope, topic, by: .channel, .day, hours: day * 24..<day * 24 + 24) {
                        values.append($0.key.value)
                    }
                    return values
                }
                #expect(counted == ["mail"], "\(topic)")
            }
        }
    }

    @Test func theyAreErasedWithTheQuery() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key
            try await visit(key, exchange)
            #expect(try await exchange.traces(of: ["mail"]).contains { $0.table == "clicks" && $0.column == "link_labels" })
            let people = exchange.services.people
            _ = try await people.erase(try await people.identity("ann", in: key.scope))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks WHERE link_labels IS NOT NULL OR query IS NOT NULL") == 0)
        }
    }

    /// Visits a long link, and installs the app and reports an event from there.
    private func visit(_ key: AppKey, _ exchange: Exchange) async throws {
        _ = try await exchange.get("/a/\(key.branchKey)?channel=mail&tags=pear", from: Self.visitor)
        let install = try await exchange.install(key.branchKey, ["identity": "ann"], from: Self.visitor)
        #expect(try install.data["~channel"] == "mail")
        let user: JSONObject = ["developer_identity": "ann"]
        let event: JSONObject = ["branch_key": .string(key.branchKey), "name": "pruned", "user_data": .object(user)]
        #expect(try await exchange.post("/v2/event/custom", .object(event), from: Self.visitor).status == 200)
    }
}
