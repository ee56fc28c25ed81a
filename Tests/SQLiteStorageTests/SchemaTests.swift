import LindenKernel
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

    @Test(.enabled(if: !Engine.isPostgres)) func onSQLiteATableIsThePrimaryKeyOfItsColumns() async throws {
        try await Installation.run { installation in
            try await installation.sql { connection in
                let tables = try connection.query(
                    """
                    SELECT name, wr, (SELECT COUNT(*) FROM pragma_table_info(tables.name) WHERE pk > 0)
                    FROM pragma_table_list AS tables
                    WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'
                    """
                ) { (name: $0.text(0), isKey: $0.bool(1), columns: $0.integer(2)) }
                #expect(tables.contains { $0.name == "rollups" && $0.isKey })
                #expect(tables.contains { $0.name == "clicks" && !$0.isKey })
                for table in tables where table.name != "device_clicks" {
                    #expect(table.isKey == (table.columns > 1), "\(table.name)")
                }
            }
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

    /// Such a database has other migrations under the same and under higher numbers.
    @Test func aDatabaseMadeBeforeTheFirstReleaseIsRefused() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Installation.run(path: path) { installation in
                try await installation.sql { connection in
                    try connection.execute("UPDATE migrations SET checksum = 'other' WHERE number < 10")
                    try connection.execute(
                        "INSERT INTO migrations (number, name, checksum, applied_at) VALUES (999, 'sites', 'x', 1)")
                }
            }
            let failure = await #expect(throws: Failure.self) { try await Installation.run(path: path) { _ in } }
            #expect(failure?.message.contains("before the first release") == true)
        }
    }

    @Test(.enabled(if: Engine.isSQLite)) func everyTableIsStrict() async throws {
        try await Installation.run { installation in
            let tables = try await installation.texts(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
            let strict = try await installation.texts("SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 1")
            #expect(tables.count > 10)
            #expect(Set(tables) == Set(strict))
        }
    }

    @Test(.enabled(if: Engine.isSQLite)) func theClickLogHasNoSecondaryIndex() async throws {
        try await Installation.run { installation in
            let indexes = try await installation.texts(
                "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'clicks'")
            #expect(indexes.isEmpty)
        }
    }

    @Test(.enabled(if: Engine.isSQLite)) func theLogIsWrittenAheadAndSyncedAtEachCommit() async throws {
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
                try connection.query(
                    "SELECT CAST(\("") AS TEXT) IS NULL, \([UInt8]()) = \([UInt8]()) IS NULL, CAST(\(String?.none) AS TEXT) IS NULL"
                ) { row in
                    (0..<3).map { row.bool($0) }
                }
            }
            #expect(isNull == [[false, false, true]])
        }
    }
}
