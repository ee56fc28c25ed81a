import Crypto
import LindenKernel
import LinkRouting
import Migrations

/// Brings a database's schema up to date with this version.
///
/// A database names the minor version whose schema it has (`schema_version` in `installation`). Later migrations of the same minor version only
/// add tables, indexes and optional columns, so a database that has some that this version does not know is opened as well. One of a later
/// minor version is refused.
package struct Migrator {
    /// A migration and the time at which it was applied; nil if it is pending.
    package struct Step: Sendable {
        package let number: Int
        package let name: String
        package let appliedAt: Timestamp?
    }

    private let connection: any SQLConnection
    /// Translates a migration from PostgreSQL's dialect to the engine's.
    private let translate: (String) -> String
    private let clock: WallClock

    package init(connection: any SQLConnection, clock: WallClock, translate: @escaping (String) -> String) {
        self.connection = connection
        self.clock = clock
        self.translate = translate
    }

    /// Applies pending migrations, each in a transaction of its own. An up-to-date database is only read.
    ///
    /// - Parameters:
    ///   - isNew: whether the database has no table of migrations yet.
    ///   - isServed: whether another process serves the database, perhaps one of an earlier version. Fails with `conflict` then if pending
    ///     migrations are of a later minor version than the database: they may take away what the process needs.
    ///   - transaction: runs a closure in a transaction with no concurrent writer; commits if the closure returns true.
    package func migrate(
        isNew: Bool, isServed: @autoclosure () -> Bool = false, transaction: (() throws -> Bool) throws -> Bool
    ) throws {
        if isNew {
            _ = try transaction {
                try connection.execute(script: translate(Migrator.table))
                return true
            }
        }
        let known = try check()
        let pending = Migration.all.filter { known[$0.number] == nil }
        if let last = pending.last, !known.isEmpty, try schemaVersion() != LindenVersion.minor(of: last.release), isServed() {
            throw Failure(
                .conflict,
                "A server has the database, whose schema is of an earlier version than linden \(LindenVersion.current) and must not change "
                    + "under that server. Restart the server with this version: it brings the schema up to date.")
        }
        for migration in pending {
            _ = try transaction {
                // Another process may have applied it meanwhile.
                let known = try check()
                guard known[migration.number] == nil else { return false }
                try connection.execute(script: translate(migration.sql))
                try connection.execute(
                    """
                    INSERT INTO migrations (number, name, checksum, applied_at)
                    VALUES (\(migration.number), \(migration.name), \(migration.checksum), \(clock.now()))
                    """)
                try connection.execute(
                    """
                    INSERT INTO installation (name, value) VALUES ('schema_version', \(LindenVersion.minor(of: migration.release)))
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value
                    """)
                return true
            }
        }
    }

    /// Returns every migration with the time at which it was applied, also those of a later patch version.
    package func steps() throws -> [Step] {
        let known = try check()
        let later = try connection.query(
            "SELECT number, name, applied_at FROM migrations WHERE number > \(Migration.all.count) ORDER BY number"
        ) { Step(number: Int($0.integer(0)), name: $0.text(1), appliedAt: $0.time(2)) }
        return Migration.all.map { Step(number: $0.number, name: $0.name, appliedAt: known[$0.number]) } + later
    }

    /// Returns the applied migrations. Fails for a database of a later minor version, of a build before the first release, or one whose
    /// migrations differ from this version's.
    private func check() throws -> [Int: Timestamp] {
        let rows = try connection.query("SELECT number, checksum, applied_at FROM migrations ORDER BY number") { row in
            (number: Int(row.integer(0)), checksum: row.text(1), appliedAt: row.time(2))
        }
        // The first migration has been the same since the first release. Builds before it had others under the same numbers.
        if let first = rows.first, let ours = Migration.all.first, first.number != ours.number || first.checksum != ours.checksum {
            throw Failure(
                .unusable,
                "The database was made by a build of linden before the first release, and its data cannot be converted. Name a new file "
                    + "by --database or the setting storage.database, or move this one away; only the build that made it can export "
                    + "what it holds.")
        }
        for (index, row) in rows.enumerated() {
            guard let migration = Migration.all.first(where: { $0.number == row.number }) else {
                try checkVersion(with: row.number, isNext: row.number == index + 1)
                continue
            }
            guard migration.checksum == row.checksum else {
                throw Failure(
                    .unusable,
                    "Migration \(row.number) of the database differs from this version's: it was made by another program."
                )
            }
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.number, $0.appliedAt) })
    }

    /// Checks a database that has a migration which this version does not know. Fails unless it is of a later patch version.
    ///
    /// - Parameter isNext: whether it follows the migration before without a gap, as in any database of Linden.
    private func checkVersion(with number: Int, isNext: Bool) throws {
        let version = try schemaVersion()
        if isNext, version == LindenVersion.minor { return }
        throw Failure(
            .unusable,
            "The database has migration \(number)\(version.map { " of linden \($0)" } ?? ""), which linden \(LindenVersion.current) does not "
                + "know. Use a newer linden, or restore the backup from before the upgrade.")
    }

    /// The minor version whose schema the database has; nil before the first migration.
    private func schemaVersion() throws -> String? {
        try connection.first("SELECT value FROM installation WHERE name = 'schema_version'") { $0.text(0) }
    }

    private static let table = """
        CREATE TABLE IF NOT EXISTS migrations (
            number BIGINT PRIMARY KEY,
            name TEXT NOT NULL,
            checksum TEXT NOT NULL,
            applied_at BIGINT NOT NULL
        );
        """
}

extension Migration {
    fileprivate var checksum: String {
        Hex.encode(SHA256.hash(data: Array(sql.utf8)))
    }
}
