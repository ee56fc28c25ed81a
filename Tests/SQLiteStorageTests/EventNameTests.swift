import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Event names in queries: standard ones match in any case, custom ones exactly.
@Suite struct EventNameTests {
    private static let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
    private static let names = ["PURCHASE", "purchase", "Purchase", "PURCHASED", "add_tree", "Add_Tree"]

    /// U+212A is the Kelvin sign, which Swift takes for a K, and U+017F becomes an S in upper case.
    @Test func lettersBeyondASCIIMakeNoStandardName() {
        #expect(EventName("purchase") == EventName("PURCHASE"))
        #expect(EventName("CLIC\u{212A}_AD") != EventName("CLICK_AD"))
        #expect(EventName("purcha\u{17F}e").text == "purcha\u{17F}e")
    }

    /// Inserts an event of each name by a device that installed after a click; many of one name, so that skipping rows pays off.
    private static func run(_ body: @Sendable (Installation) async throws -> Void) async throws {
        try await Installation.run { installation in
            var traffic = Traffic(seed: 31)
            try await traffic.happen(1, in: installation)
            try await installation.sql { connection in
                try connection.execute("DELETE FROM clicks")
                try connection.execute("DELETE FROM sessions")
                try connection.execute("DELETE FROM events")
                var id = IDGenerator.first(at: installation.clock.now)
                func insert(_ name: String, _ device: Int64) throws {
                    id += 1
                    try connection.execute(
                        """
                        INSERT INTO events (id, app_id, mode, endpoint, kind, name, device_id, touch_link_id, body, revenue)
                        VALUES (\(id), 1, 0, 'v2/event/standard', 1, \(name), \(device), 1, '{}', 1000000)
                        """)
                }
                for device in 1...Int64(names.count) {
                    id += 2
                    try connection.execute(
                        """
                        INSERT INTO clicks (id, app_id, mode, link_id, address, platform)
                        VALUES (\(id - 1), 1, 0, 1, '203.0.113.7', 'ios')
                        """)
                    try connection.execute(
                        """
                        INSERT INTO sessions (id, app_id, mode, device_id, identity_id, kind, link_id, click_id, data, explanation)
                        VALUES (\(id), 1, 0, \(device), 1, 0, 1, \(id - 1), '{}', '{"outcome": "organic", "reason": ""}')
                        """)
                }
                for (number, name) in names.enumerated() { try insert(name, Int64(number + 1)) }
            }
            installation.clock.advance(by: .seconds(60))
            try await body(installation)
        }
    }

    private static let converted: [(event: String, count: Int64)] = [
        ("PURCHASE", 3), ("purchase", 3), ("pURCHASE", 3), ("add_tree", 1), ("Add_Tree", 1), ("ADD_TREE", 0), ("PURCHASED", 1),
        ("purchased", 0), ("LOGIN", 0),
    ]

    @Test(arguments: converted)
    func aFunnelFindsTheEventInAnyCaseIfItIsAStandardOne(event: String, count: Int64) async throws {
        try await Self.run { installation in
            var parameters = AnalyticsParameters()
            parameters.event = event
            let reply = try await installation.services.analytics.reply(to: .funnel, parameters, of: Self.scope)
            guard case .funnels(let funnels, _) = reply.rows else {
                Issue.record("The rows are no funnels: \(reply.rows)")
                return
            }
            #expect(funnels.first?.converted == count)
            #expect(reply.warnings.isEmpty == (count > 0))
            let named = reply.warnings.first.map { $0.contains("\"Add_Tree\", \"add_tree\"") }
            #expect(named == (count > 0 ? nil : event == "ADD_TREE"))
        }
    }

    @Test(arguments: converted)
    func aFilterFindsItFromRowsAndFromCounters(event: String, count: Int64) async throws {
        try await Self.run { installation in
            for dimensions in [[], ["channel"], ["channel", "country"]] {
                for isAggregated in [false, true] {
                    if isAggregated { try await installation.services.rollups.aggregate() }
                    var parameters = AnalyticsParameters()
                    (parameters.topics, parameters.by) = (["commerce_event"], dimensions)
                    parameters.granularity = "all"
                    parameters.filters = ["name=\(event)"]
                    let reply = try await installation.services.analytics.reply(to: .counts, parameters, of: Self.scope)
                    #expect(Self.sum(reply) == count)
                    #expect(reply.warnings.isEmpty == (count > 0))
                    parameters.filters = ["!name=\(event)"]
                    let others = try await installation.services.analytics.reply(to: .counts, parameters, of: Self.scope)
                    #expect(Self.sum(others) == Int64(Self.names.count) - count)
                    parameters.aggregation = "unique_count"
                    parameters.filters = ["name=\(event)"]
                    let devices = try await installation.services.analytics.reply(to: .counts, parameters, of: Self.scope)
                    #expect(Self.sum(devices) == count)
                }
            }
        }
    }

    private static func sum(_ reply: AnalyticsReply) -> Int64? {
        guard case .counts(let rows, _) = reply.rows else { return nil }
        return rows.reduce(0) { $0 + Int64($1.figure) }
    }

    @Test func aNameWhoseRowsAreGoneWasSeenAllTheSame() async throws {
        try await Self.run { installation in
            try await installation.services.rollups.aggregate()
            try await installation.sql { try $0.execute("DELETE FROM events") }
            var parameters = AnalyticsParameters()
            parameters.event = "add_tree"
            let seen = try await installation.services.analytics.reply(to: .funnel, parameters, of: Self.scope)
            #expect(seen.warnings == [])
            parameters.event = "add_bush"
            let unseen = try await installation.services.analytics.reply(to: .funnel, parameters, of: Self.scope)
            #expect(unseen.warnings == ["No event named \"add_bush\" was ever recorded for the app."])
        }
    }

    @Test func aQuestionIsWarnedAboutTenUnknownNamesAtMost() async throws {
        try await Self.run { installation in
            var parameters = AnalyticsParameters()
            parameters.filters = ["name=" + (0..<50).map { "unknown\($0)" }.joined(separator: ",")]
            let reply = try await installation.services.analytics.reply(to: .counts, parameters, of: Self.scope)
            #expect(reply.warnings.count == EventName.mostWarnings)
        }
    }

    @Test func namesAreListedByStepsInTheIndex() async throws {
        try await Self.run { installation in
            let names = try await installation.storage.read { try $0.eventNames(of: Self.scope) }
            #expect(names == Self.names.sorted())
            let elsewhere = try await installation.storage.read {
                try $0.eventNames(of: Scope(app: Identifier(rawValue: 2), mode: .live))
            }
            #expect(elsewhere == [])
        }
    }
}
