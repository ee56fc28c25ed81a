import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The checks of `linden verify`, each on data that a server wrote and a test then damaged.
@Suite struct VerificationTests {
    /// The names of the checks that find a problem.
    private func failures(in installation: Installation, day: Int64? = nil) async throws -> [String] {
        var names: [String] = []
        for check in installation.services.verification.checks(day: day) {
            if try await !installation.services.verification.result(of: check).problems.isEmpty { names.append(check.name) }
        }
        return names
    }

    private func damage(_ installation: Installation, _ sql: SQL) async throws {
        let changes = try await installation.sql { try $0.changedRows(by: sql) }
        #expect(changes > 0)
    }

    // MARK: Claims

    private func claimed(in installation: Installation) async throws {
        let (app, link) = try await installation.appWithLink()
        for number in 1...2 {
            let address = "2001:db8:\(number)::1"
            try await installation.visit(link, from: address)
            #expect(try await installation.matches(app, installs: 1, from: address) == 1)
        }
        #expect(try await installation.count("SELECT COUNT(*) FROM click_claims") == 2)
        #expect(try await failures(in: installation) == [])
    }

    @Test(arguments: [
        "UPDATE click_claims SET click_id = click_id + 1",
        "UPDATE clicks SET match_seconds = NULL",
        "UPDATE sessions SET click_id = (SELECT MIN(click_id) FROM sessions)",
        "INSERT INTO pending_clicks (match_key, click_id, expires_at) VALUES (1, 9223372036854775807, 1)",
    ])
    func aClaimOfAClickThatIsNotThereOrWasUsedTwiceIsFound(damage sql: String) async throws {
        try await Installation.run { installation in
            try await claimed(in: installation)

            try await damage(installation, SQL(stringLiteral: sql))

            #expect(try await failures(in: installation) == ["claims.clicks"])
        }
    }

    /// Claims may outlive the clicks that were deleted for their age.
    @Test func claimsOfDeletedClicksAreNoProblem() async throws {
        try await Installation.run { installation in
            try await claimed(in: installation)
            try await damage(
                installation,
                "INSERT INTO aggregation_cursors (name, through_id) SELECT 'pruned.clicks', MAX(id) FROM clicks")
            try await damage(installation, "DELETE FROM clicks")

            #expect(try await failures(in: installation) == [])
        }
    }

    @Test(arguments: [
        "UPDATE device_clicks SET click_id = click_id + 1",
        "UPDATE device_clicks SET mode = 1 - mode",
        """
        INSERT INTO device_clicks (app_id, mode, device_key, click_id, expires_at, claimed_at)
        SELECT app_id, mode, 'other', click_id, expires_at, 1 FROM device_clicks
        """,
    ])
    func aClickOfADeviceThatIsNotThereOrWasClaimedTwiceIsFound(damage sql: String) async throws {
        try await Installation.run { installation in
            let click = try await installation.pendingClick(window: 7200)
            try await installation.storage.write { transaction in
                try transaction.insert(click.id, namingDevice: "key", in: click.scope, expiresAt: transaction.now + .seconds(60))
                #expect(try transaction.claim(click.id, namingDevice: "key", in: click.scope))
            }
            #expect(try await failures(in: installation) == [])

            try await damage(installation, SQL(stringLiteral: sql))

            #expect(try await failures(in: installation) == ["claims.devices"])
        }
    }

    @Test(arguments: [
        "UPDATE event_transactions SET event_id = 12",
        "UPDATE event_transactions SET event_id = (SELECT MIN(event_id) FROM event_transactions)",
        "UPDATE event_transactions SET name = 'other'",
        "DELETE FROM events WHERE id = (SELECT MAX(id) FROM events)",
    ])
    func aTransactionWithoutItsEventIsFound(damage sql: String) async throws {
        try await Installation.run { installation in
            try await installation.sql { connection in
                for number in 1...2 {
                    try connection.execute(
                        """
                        INSERT INTO events (id, app_id, mode, endpoint, name, transaction_id, body)
                        VALUES (\(number), 1, 0, 'v2/event/standard', 'PURCHASE', \("order \(number)"), '{}')
                        """)
                }
            }
            try await installation.storage.write { transaction in
                for number in Int64(1)...2 {
                    let claim = TransactionClaim(
                        transaction: "order \(number)", name: "PURCHASE", claimant: 0, isAuthenticated: false, revenue: nil)
                    let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
                    let outcome = try transaction.claim(claim, for: Event.ID(rawValue: number), in: scope)
                    #expect(outcome == .taken)
                }
            }
            #expect(try await failures(in: installation) == [])

            try await damage(installation, SQL(stringLiteral: sql))

            #expect(try await failures(in: installation) == ["claims.transactions"])
        }
    }

    // MARK: Days

    /// Traffic of one day whose links are about content.
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
        installation.clock.advance(by: .seconds(60))
        try await installation.services.statistics.aggregate()
        let day = try await installation.count("SELECT MAX(day) FROM link_days WHERE clicks > 0 AND sessions > 0")
        #expect(try await installation.count("SELECT COUNT(*) FROM object_days WHERE day = \(day) AND clicks > 0") == 1)
        #expect(try await failures(in: installation, day: day) == [])
        return day
    }

    @Test(arguments: [
        "clicks = clicks + 1", "robots = robots - 1", "sessions = sessions - 1", "installs = installs + 1", "day = day + 1",
    ])
    func aWrongCounterOfALinkIsFound(change: String) async throws {
        try await Installation.run { installation in
            let day = try await counted(in: installation)

            try await damage(
                installation,
                SQL(text: "UPDATE link_days SET \(change) WHERE day = $1 AND clicks > 0 AND sessions > 0", values: [.integer(day)]))

            #expect(try await failures(in: installation, day: day) == ["days.links"])
        }
    }

    @Test(arguments: ["clicks = clicks + 1", "clicks = -1", "views = -1", "object_id = 7"])
    func aWrongCounterOfContentIsFound(change: String) async throws {
        try await Installation.run { installation in
            let day = try await counted(in: installation)

            try await damage(installation, SQL(text: "UPDATE object_days SET \(change) WHERE day = $1", values: [.integer(day)]))

            #expect(try await failures(in: installation, day: day) == ["days.objects"])
        }
    }

    @Test func countersOfErasedSessionsAndOfChangedLinksAreNoProblem() async throws {
        try await Installation.run { installation in
            let day = try await counted(in: installation)
            let ids = try await installation.sql {
                try $0.query("SELECT id FROM sessions WHERE link_id IS NOT NULL AND kind <> 3 ORDER BY id LIMIT 5") {
                    $0.integer(0)
                }
            }
            try await installation.storage.write { try $0.erase(.sessions, ids) }
            let now = installation.clock.now
            try await damage(installation, "UPDATE links SET object_id = NULL, updated_at = \(now) WHERE object_id IS NOT NULL")

            #expect(try await failures(in: installation, day: day) == [])
        }
    }
}
