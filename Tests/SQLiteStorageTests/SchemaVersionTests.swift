import LindenKernel
import LindenTesting
import Migrations
import SQLStorage
import SQLiteStorage
import Testing

/// Which versions of Linden open a database: all patch versions of the minor version that it names, and later minor versions.
@Suite struct SchemaVersionTests {
    /// A database with a further migration, as a later version leaves it.
    private func withLaterDatabase(
        of version: String?, _ body: (_ path: String, _ clock: TestClock) async throws -> Void
    ) async throws {
        try await Installation.withFolder { folder in
            let (path, clock, number) = (folder + "/linden.db", TestClock(), Migration.all.count + 1)
            try await Installation.run(path: path, clock: clock) { installation in
                #expect(
                    try await installation.sql {
                        try $0.query("SELECT value FROM installation WHERE name = 'schema_version'") { $0.text(0) }
                    } == [LindenVersion.minor])
                try await installation.sql { connection in
                    try connection.execute(
                        script: "ALTER TABLE links ADD COLUMN note TEXT; CREATE TABLE notes (id INTEGER PRIMARY KEY);")
                    try connection.execute(
                        "INSERT INTO migrations (number, name, checksum, applied_at) VALUES (\(number), 'notes', 'abc', 1)")
                    try connection.execute("DELETE FROM installation WHERE name = 'schema_version'")
                    if let version {
                        try connection.execute("INSERT INTO installation (name, value) VALUES ('schema_version', \(version))")
                    }
                }
            }
            try await body(path, clock)
        }
    }

    @Test func aDatabaseOfALaterPatchVersionIsOpenedAndStaysAsItIs() async throws {
        try await withLaterDatabase(of: LindenVersion.minor) { path, clock in
            try await Installation.run(path: path, clock: clock) { installation in
                _ = try await installation.appWithLink()
                #expect(try await installation.count("SELECT COUNT(*) FROM links WHERE note IS NULL") == 1)
                let steps = try await installation.storage.migrations()
                #expect(steps.count == Migration.all.count + 1)
                #expect(steps.last?.name == "notes" && steps.last?.appliedAt != nil)
            }
        }
    }

    @Test(arguments: ["99.0", nil]) func aDatabaseOfALaterMinorVersionIsRefused(version: String?) async throws {
        try await withLaterDatabase(of: version) { path, clock in
            let failure = await #expect(throws: Failure.self) { try await Installation.run(path: path, clock: clock) { _ in } }
            let message = failure?.message ?? ""
            #expect(message.contains(version.map { "of linden \($0), which linden" } ?? ", which linden"), "\(message)")
            #expect(message.contains("restore the backup from before the upgrade"))
        }
    }

    /// A server of a former version may need what a migration of a later minor version takes away.
    @Test(.enabled(if: Engine.isSQLite), arguments: [(LindenVersion.minor, true), ("0.0", false)])
    func aCommandUpdatesTheSchemaUnderAServerOnlyWithinAMinorVersion(version: String, isUpdated: Bool) async throws {
        func opens(_ path: String) async throws -> Bool {
            let command = try SQLiteStorage(path: path)
            let steps = try await command.migrations()
            await command.shutdown()
            return steps.allSatisfy { $0.appliedAt != nil }
        }
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            func withServer(_ body: () async throws -> Void) async throws {
                let holder = ServerLease.Holder(processID: 1, address: "127.0.0.1:8080", baseURL: "http://127.0.0.1:8080")
                let server = try SQLiteStorage(path: path, options: SQLiteOptions(creates: true, server: holder))
                try await server.write { transaction in
                    let connection = (transaction as! SQLTransaction).connection
                    try connection.execute(script: "DROP TABLE audit_entries; DELETE FROM migrations WHERE name = 'audit'")
                    try connection.execute("UPDATE installation SET value = \(version) WHERE name = 'schema_version'")
                }
                try await body()
                await server.shutdown()
            }
            try await withServer {
                if isUpdated {
                    let isOpened = try await opens(path)
                    #expect(isOpened)
                } else {
                    let failure = await #expect(throws: Failure.self) { _ = try await opens(path) }
                    #expect(failure?.code == .conflict && failure?.message.contains("Restart the server with this version") == true)
                }
            }
            let isOpened = try await opens(path)
            #expect(isOpened)
        }
    }

    // MARK: The rule for migrations

    /// Tables from which no row is deleted.
    private static let lasting: Set<Substring> = ["apps", "credit_accounts", "credit_transactions", "dashboard_users"]

    /// Whether an earlier patch version may delete the rows that a statement's foreign keys name.
    private static func letsRowsGo(_ statement: Substring) -> Bool {
        statement.split(separator: " REFERENCES ").dropFirst().allSatisfy { key in
            // The columns of a key are separated by commas, too.
            let clause = key.drop { $0 != ")" }.prefix { $0 != "," }
            return lasting.contains(key.prefix { $0.isLetter || $0 == "_" })
                || clause.contains(" ON DELETE CASCADE") || clause.contains(" ON DELETE SET NULL")
        }
    }

    /// Statements that an earlier patch version may be unaware of: tables, indexes that refuse no row, and optional columns, none of which
    /// keeps it from deleting rows.
    private static func isAdditive(_ sql: String) -> Bool {
        let text = sql.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("--") }.joined(separator: " ")
        let statements = text.split(separator: ";").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        return statements.allSatisfy { statement in
            guard letsRowsGo(statement) else { return false }
            if statement.hasPrefix("CREATE TABLE ") || statement.hasPrefix("CREATE INDEX ") { return true }
            guard statement.hasPrefix("ALTER TABLE "), statement.contains(" ADD COLUMN ") else { return false }
            return !statement.contains(" UNIQUE") && (!statement.contains(" NOT NULL") || statement.contains(" DEFAULT "))
        }
    }

    @Test(arguments: Migration.all) func aMigrationOfAPatchVersionIsAdditive(migration: Migration) {
        #expect(migration.release.split(separator: ".").compactMap { Int($0) }.count == 3, "\(migration.name)")
        guard migration.release.split(separator: ".").last != "0" else { return }
        #expect(Self.isAdditive(migration.sql), "\(migration.name)")
    }

    @Test func theReleasesOfMigrationsGrow() {
        let releases = Migration.all.map { $0.release.split(separator: ".").compactMap { Int($0) } }
        #expect(zip(releases, releases.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
        let current = LindenVersion.current.split(separator: ".").compactMap { Int($0) }
        #expect(releases.allSatisfy { !current.lexicographicallyPrecedes($0) })
    }

    @Test(arguments: [
        ("-- Notes.\nCREATE TABLE notes (\n    id BIGINT PRIMARY KEY\n);\nCREATE INDEX notes_by_id ON notes (id);", true),
        ("ALTER TABLE links ADD COLUMN note TEXT;", true),
        ("ALTER TABLE links ADD COLUMN is_noted SMALLINT NOT NULL DEFAULT 0;", true),
        ("CREATE TABLE notes (\n    app_id BIGINT NOT NULL REFERENCES apps (id),\n    text TEXT\n);", true),
        ("CREATE TABLE notes (\n    session_id BIGINT REFERENCES sessions (id) ON DELETE CASCADE,\n    text TEXT\n);", true),
        ("CREATE TABLE notes (\n    session_id BIGINT REFERENCES sessions (id),\n    text TEXT\n);", false),
        ("ALTER TABLE devices ADD COLUMN identity_id BIGINT REFERENCES identities (id);", false),
        ("ALTER TABLE links ADD COLUMN note TEXT NOT NULL;", false), ("ALTER TABLE links DROP COLUMN channel;", false),
        ("CREATE UNIQUE INDEX links_by_note ON links (note);", false), ("UPDATE links SET channel = NULL;", false),
        ("ALTER TABLE links RENAME TO urls;", false), ("DROP TABLE links;", false),
    ])
    func whatCountsAsAdditive(sql: String, isAdditive: Bool) {
        #expect(Self.isAdditive(sql) == isAdditive)
    }
}
