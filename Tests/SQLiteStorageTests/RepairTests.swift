import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// What `linden verify --repair` derives again: a test damages rows that a server wrote, and has them back.
@Suite struct RepairTests {
    private func failures(in installation: Installation, day: Int64? = nil) async throws -> Set<String> {
        var names: Set<String> = []
        for check in installation.services.verification.checks(day: day) {
            if try await !installation.services.verification.result(of: check).problems.isEmpty { names.insert(check.name) }
        }
        return names
    }

    /// Runs the repairs for all failed checks. Returns the number of changes of each.
    @discardableResult
    private func repair(_ installation: Installation, day: Int64? = nil) async throws -> [String: Int] {
        let verification = installation.services.verification
        var changes: [String: Int] = [:]
        for repair in verification.repairs(of: try await failures(in: installation, day: day), day: day) {
            changes[repair.name] = try await verification.run(repair).changes
        }
        return changes
    }

    private func damage(_ installation: Installation, _ sql: String, day: Int64 = 0) async throws {
        let text = sql.replacing("DAY", with: "\(day)")
        let changes = try await installation.sql { try $0.changedRows(by: SQL(text: text, values: [])) }
        #expect(changes > 0)
    }

    /// All counters, but for those of nothing. Money as one number in two parts, since a correction may carry.
    private func counters(of installation: Installation) async throws -> [String] {
        let money = "revenue_thousands + revenue_millionths / 1000000000, revenue_millionths % 1000000000"
        var rows: [String] = []
        for sql in [
            "SELECT link_id, day, clicks, robots, sessions, installs FROM link_days ORDER BY 1, 2",
            "SELECT object_id, day, views, shares, clicks, purchases FROM object_days ORDER BY 1, 2",
            """
            SELECT app_id, mode, topic, dimension, hours, hour, name, value, count, \(money) FROM rollups
            WHERE count <> 0 OR revenue_thousands <> 0 OR revenue_millionths <> 0 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
            """,
            """
            SELECT app_id, mode, topic, dimension, all_names, day, name, value, devices, LENGTH(sketch) FROM rollup_devices
            ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
            """,
        ] {
            let columns = sql.prefix { $0 != "\n" }.split(separator: "FROM")[0].split(separator: ",").count
            rows += try await installation.sql { connection in
                try connection.query(SQL(text: sql, values: [])) { row in
                    (0..<columns).map { row.text($0) }.joined(separator: " ")
                }
            }
        }
        return rows
    }

    /// Traffic of a day that is over and counted, about content.
    private func counted(in installation: Installation) async throws -> Int64 {
        var traffic = Traffic(seed: 5)
        try await traffic.happen(1, in: installation)
        try await installation.sql { connection in
            try connection.execute(
                """
                INSERT INTO universal_objects (id, app_id, mode, canonical_identifier, data, created_at, updated_at)
                VALUES (1, 1, 0, 'pear', '{}', 1, 1)
                """)
            try connection.execute("UPDATE links SET object_id = 1 WHERE app_id = 1 AND mode = 0")
        }
        try await traffic.happen(100, in: installation)
        installation.clock.advance(by: .seconds(86_400))
        try await installation.services.statistics.aggregate()
        try await installation.services.rollups.aggregate()
        let day = try await installation.count("SELECT MAX(day) FROM link_days WHERE clicks > 0 AND sessions > 0")
        #expect(try await failures(in: installation, day: day) == [])
        return day
    }

    private static let damages: [(String, Set<String>)] = [
        ("UPDATE link_days SET clicks = clicks + 3, robots = 0, installs = installs + 1 WHERE day = DAY", ["days.links"]),
        ("DELETE FROM link_days WHERE day = DAY", ["days.links"]),
        ("DELETE FROM object_days WHERE day = DAY", ["days.objects"]),
        ("DELETE FROM rollups WHERE hour >= DAY * 24 AND hour < DAY * 24 + 24", ["rollups.rows", "rollups.days"]),
        (
            "DELETE FROM rollups WHERE hours = 1 AND hour = (SELECT MIN(hour) FROM rollups WHERE hours = 1 AND hour >= DAY * 24)",
            ["rollups.rows"]
        ),
        ("UPDATE rollups SET count = count + 1 WHERE hours = 24 AND hour = DAY * 24 AND dimension = ''", ["rollups.days"]),
        (
            """
            UPDATE rollups SET revenue_millionths = revenue_millionths + 5
            WHERE topic = 'commerce_event' AND hour >= DAY * 24 AND hour < DAY * 24 + 24
            """, ["rollups.rows", "rollups.days"]
        ),
        ("DELETE FROM rollup_devices WHERE day = DAY AND dimension = ''", ["rollups.devices"]),
        ("UPDATE rollup_devices SET devices = devices + 1 WHERE day = DAY", ["rollups.devices"]),
    ]

    @Test(arguments: damages) func theCountersOfADayAreThoseOfItsRowsAgain(sql: String, repairs: Set<String>) async throws {
        try await Installation.run { installation in
            let day = try await counted(in: installation)
            let right = try await counters(of: installation)
            try await damage(installation, sql, day: day)
            let wrong = try await counters(of: installation)
            #expect(wrong != right)

            let verification = installation.services.verification
            for repair in verification.repairs(of: try await failures(in: installation, day: day), day: day) {
                _ = try await verification.plan(repair)
            }
            #expect(try await counters(of: installation) == wrong, "A dry run changes nothing.")

            let changes = try await repair(installation, day: day)
            #expect(Set(changes.filter { $0.value > 0 }.keys).isSuperset(of: repairs), "\(changes)")
            #expect(try await failures(in: installation, day: day) == [])
            #expect(try await counters(of: installation) == right)
        }
    }

    /// What erased rows would have added is not known any more.
    @Test func countersWhoseRowsWereErasedAreLeftAsTheyAre() async throws {
        try await Installation.run { installation in
            let day = try await counted(in: installation)
            let ids = try await installation.sql {
                try $0.query("SELECT id FROM events WHERE name = 'PURCHASE' ORDER BY id") { $0.integer(0) }
            }
            try await installation.storage.write { try $0.erase(.events, ids) }
            #expect(try await failures(in: installation, day: day) == [])
            try await damage(
                installation,
                "UPDATE rollups SET count = count + 1 WHERE topic = 'commerce_event' AND hours = 1 AND hour / 24 = DAY", day: day)
            let wrong = try await counters(of: installation)
            #expect(try await failures(in: installation, day: day).contains("rollups.rows"))

            let changes = try await repair(installation, day: day)

            #expect(changes.values.allSatisfy { $0 == 0 }, "\(changes)")
            #expect(try await counters(of: installation) == wrong)
        }
    }

    @Test func anEntryOfAClickThatIsNotInTheLogIsRemoved() async throws {
        try await Installation.run { installation in
            try await damage(
                installation,
                "INSERT INTO pending_clicks (match_key, click_id, expires_at) VALUES (1, 9223372036854775807, 1)")
            #expect(try await failures(in: installation) == ["claims.clicks"])

            #expect(try await repair(installation) == ["claims.clicks": 1])

            #expect(try await failures(in: installation) == [])
        }
    }

    /// A balance follows from its entries, unless those are wrong themselves.
    @Test(arguments: [false, true]) func aBalanceIsTheSumOfItsEntriesAgain(isLedgerDamaged: Bool) async throws {
        try await Installation.run { installation in
            let scope = try await installation.createApp().live.key.scope
            for amount in [20, 5] as [Int64] {
                _ = try await installation.services.credits.grant(
                    CreditGrant(holder: .named("ann"), amount: CreditAmount(amount)), RequestedCause(.operator), CreditCall(),
                    in: scope)
            }
            #expect(try await failures(in: installation) == [])
            try await damage(installation, "UPDATE credit_accounts SET balance = 7 WHERE identity_id IS NOT NULL")
            if isLedgerDamaged { try await damage(installation, "UPDATE credit_entries SET amount = amount + 1") }

            let changes = try await repair(installation)

            let balance = try await installation.count("SELECT balance FROM credit_accounts WHERE identity_id IS NOT NULL")
            #expect(changes["credits.balances"] == (isLedgerDamaged ? 0 : 1))
            #expect(balance == (isLedgerDamaged ? 7 : 25))
            #expect(try await failures(in: installation).isEmpty == !isLedgerDamaged)
        }
    }
}
