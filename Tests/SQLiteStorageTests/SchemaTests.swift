import Linden
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct SchemaTests {
    @Test func aNewDatabaseHasEveryMigrationAndAnOldOneNeedsNone() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            let first = try await Installation.run(path: path) { try await $0.storage.migrations().map(\.appliedAt) }
            let later = TestClock()
            later.advance(by: .seconds(86400))
            let second = try await Installation.run(path: path, clock: later) { try await $0.storage.migrations().map(\.appliedAt) }
            #expect(!first.isEmpty)
            #expect(!first.contains(nil))
            #expect(first == second)
        }
    }

    @Test func aDatabaseOfANewerProgramIsRefused() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Installation.run(path: path) { installation in
                try await installation.sql {
                    try $0.execute("INSERT INTO migrations (number, name, checksum, applied_at) VALUES (999, 'future', 'x', 1)")
                }
            }
            let failure = await #expect(throws: Failure.self) { try await Installation.run(path: path) { _ in } }
            #expect(failure?.message.contains("migration 999") == true)
        }
    }

    @Test func aDatabaseThatWentAnotherWayIsRefused() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Installation.run(path: path) { installation in
                try await installation.sql { try $0.execute("UPDATE migrations SET checksum = 'other' WHERE number = 2") }
            }
            let failure = await #expect(throws: Failure.self) { try await Installation.run(path: path) { _ in } }
            #expect(failure?.message.contains("Migration 2") == true)
        }
    }

    /// Sketches made without a key could be traced to their devices, so they are deleted and computed again.
    @Test func sketchesWithoutAKeyAreDeletedAndComputedAgain() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Installation.run(path: path) { installation in
                try await installation.sql { connection in
                    try connection.execute(
                        """
                        INSERT INTO rollup_devices (app_id, mode, topic, dimension, all_names, day, name, value, devices, sketch)
                        VALUES (1, 0, 'click', '', 1, 20000, '', '', 7, \([UInt8](repeating: 1, count: 56)))
                        """)
                    try connection.execute("INSERT INTO folds (name, through_id) VALUES ('rollup_devices.clicks', 9)")
                    try connection.execute("DELETE FROM migrations WHERE name = 'device_sketches'")
                }
            }
            try await Installation.run(path: path) { installation in
                let kept = try await installation.count("SELECT devices FROM rollup_devices WHERE LENGTH(sketch) = 0")
                let folds = try await installation.count("SELECT COUNT(*) FROM folds WHERE name LIKE 'rollup_devices.%'")
                #expect(kept == 7 && folds == 0)
            }
        }
    }

    @Test func sumsOfMoneyOfBeforeKeepTheirValueInTwoColumns() async throws {
        let sums: [Int64] = [
            0, 1, 999_999_999, 1_000_000_000, 4_200_000_000_000_000_000, -1, -1_000_000_000, -1_000_000_001,
        ]
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Installation.run(path: path) { installation in
                try await installation.sql { connection in
                    for table: StaticString in ["rollups", "object_days"] {
                        try connection.execute("ALTER TABLE \(raw: table) DROP COLUMN revenue_thousands")
                        try connection.execute("ALTER TABLE \(raw: table) RENAME COLUMN revenue_millionths TO revenue")
                    }
                    try connection.execute("DELETE FROM migrations WHERE name = 'money_sums'")
                    for (number, sum) in sums.enumerated() {
                        try connection.execute(
                            """
                            INSERT INTO rollups (app_id, mode, topic, dimension, hours, hour, name, value, count, revenue)
                            VALUES (1, 0, 'commerce_event', '', 1, \(number), 'PURCHASE', '', 1, \(sum))
                            """)
                        try connection.execute(
                            """
                            INSERT INTO object_days (object_id, day, views, shares, clicks, purchases, revenue)
                            VALUES (1, \(number), 0, 0, 0, 1, \(sum))
                            """)
                    }
                }
            }
            try await Installation.run(path: path) { installation in
                let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
                let rollups = try await installation.storage.read { reader in
                    try reader.rollups(of: scope, .commerceEvent, by: nil, .hour, hours: 0..<Int64(sums.count))
                }
                #expect(rollups.sorted { $0.key.hour < $1.key.hour }.map(\.figures.revenue.millionths) == sums.map { Int128($0) })
                for (day, sum) in sums.enumerated() {
                    let found = try await installation.storage.read { reader in
                        try reader.statistics(of: [Identifier(rawValue: 1)], on: Int64(day)...Int64(day)).values.first
                    }
                    #expect(found?.revenue.millionths == Int128(sum))
                }
            }
        }
    }

    @Test func whatWasPrunedBeforeIsNotedAndRulesGetTheNamesOfStandardEvents() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Installation.run(path: path) { installation in
                try await installation.sql { connection in
                    try connection.execute("DELETE FROM migrations WHERE name = 'pruned_rows_and_event_names'")
                    // Clicks were pruned in part, sessions completely, events not at all.
                    for (log, first, through) in [("clicks", 5, 200), ("sessions", 5, 50), ("events", 7, 90)] {
                        try connection.execute(
                            """
                            INSERT INTO folds (name, through_id)
                            VALUES (\("rollups.\(log).first"), \(first)), (\("rollups.\(log)"), \(through))
                            """)
                    }
                    try connection.execute(
                        "INSERT INTO clicks (id, app_id, mode, link_id, address, platform) VALUES (100, 1, 0, 1, '', 'ios')")
                    try connection.execute(
                        "INSERT INTO events (id, app_id, mode, endpoint, name, body) VALUES (7, 1, 0, 'v1/event', 'x', '{}')")
                    for (id, event) in ["purchase", "Add_To_Cart", "plant", "PURCHASE"].enumerated() {
                        try connection.execute(
                            """
                            INSERT INTO reward_rules (id, app_id, mode, event, filter, recipient, first_only, amount, bucket)
                            VALUES (\(id), 1, 0, \(event), '{}', 'actor', 0, 5, 'default')
                            """)
                    }
                }
            }
            try await Installation.run(path: path) { installation in
                let pruned = try await installation.storage.read { reader in
                    try ActivityLog.allCases.map { try reader.prunedThrough($0) }
                }
                #expect(pruned == [99, 50, 0])
                let left = try await installation.count("SELECT COUNT(*) FROM folds WHERE name LIKE '%.first'")
                #expect(left == 0)
                let rules = try await installation.texts("SELECT event FROM reward_rules ORDER BY id")
                #expect(rules == ["PURCHASE", "ADD_TO_CART", "plant", "PURCHASE"])
            }
        }
    }

    @Test func theHostsOfAppsThatWereDeletedBeforeAreFreed() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Installation.run(path: path) { installation in
                let gone = try await installation.createApp().app.id
                let kept = try await installation.createApp("Meadow", domain: "go.meadow.example").app.id
                try await installation.services.apps.delete(gone)
                try await installation.sql { connection in
                    for (host, app) in [("go.orchard.example", gone), ("go.meadow.example", kept)] {
                        try connection.execute(
                            """
                            INSERT INTO domains (host, app_id, mode, created_at) VALUES (\(host), \(app), \(Mode.live), 1)
                            ON CONFLICT (host) DO NOTHING
                            """)
                        for further in [gone, kept] {
                            try connection.execute(
                                "INSERT INTO associated_apps (host, app_id, created_at) VALUES (\(host), \(further), 1)")
                        }
                    }
                    try connection.execute(script: "DROP INDEX domains_by_app; DROP INDEX associated_apps_by_app;")
                    try connection.execute("DELETE FROM migrations WHERE name = 'domains_by_app'")
                }
            }
            try await Installation.run(path: path) { installation in
                let domains = try await installation.texts("SELECT host FROM domains")
                let associations = try await installation.texts("SELECT host FROM associated_apps")
                #expect(domains == ["go.meadow.example"])
                #expect(associations == ["go.meadow.example"])
            }
        }
    }

    @Test func everyTableIsStrict() async throws {
        try await Installation.run { installation in
            let tables = try await installation.texts(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            let strict = try await installation.texts("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 1")
            #expect(tables.count > 10)
            #expect(Set(tables) == Set(strict))
        }
    }

    @Test func theClickLogHasNoSecondaryIndex() async throws {
        try await Installation.run { installation in
            let indexes = try await installation.texts(
                "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'clicks'")
            #expect(indexes.isEmpty)
        }
    }

    @Test func theLogIsWrittenAheadAndSyncedAtEachCommit() async throws {
        try await Installation.withFolder { folder in
            try await Installation.run(path: folder + "/linden.db") { installation in
                let journal = try await installation.texts("PRAGMA journal_mode")
                let full = try await installation.count("PRAGMA synchronous")
                let foreignKeys = try await installation.count("PRAGMA foreign_keys")
                let automaticCheckpoints = try await installation.count("PRAGMA wal_autocheckpoint")
                #expect(journal == ["wal"])
                #expect([full, foreignKeys, automaticCheckpoints] == [2, 1, 0])
            }
        }
    }

    @Test func emptyValuesAreNotNull() async throws {
        try await Installation.run { installation in
            let isNull = try await installation.sql { connection in
                try connection.query("SELECT \("") IS NULL, \([UInt8]()) IS NULL, \(String?.none) IS NULL") { row in
                    (0..<3).map { row.truth($0) }
                }
            }
            #expect(isNull == [[false, false, true]])
        }
    }
}
