import Crypto
import Linden
import Migrations

/// Brings a database's schema up to what this program knows.
package struct Migrator {
    /// Where a database stands.
    package struct Step: Sendable {
        package let number: Int
        package let name: String
        package let appliedAt: Timestamp?
    }

    private let connection: any SQLConnection
    /// Turns a migration's text, which is PostgreSQL's, into the engine's.
    private let translate: (String) -> String
    private let clock: WallClock

    package init(connection: any SQLConnection, clock: WallClock, translate: @escaping (String) -> String) {
        self.connection = connection
        self.clock = clock
        self.translate = translate
    }

    /// Applies what is missing, each step in a transaction of its own. A database that is up to date is only read.
    ///
    /// - Parameters:
    ///   - isNew: whether the database has no table of migrations yet.
    ///   - transaction: runs a closure in a transaction that no other process can write beside; commits if it gives true.
    package func migrate(isNew: Bool, transaction: (() throws -> Bool) throws -> Bool) throws {
        if isNew {
            _ = try transaction {
                try connection.execute(script: translate(Migrator.table))
                return true
            }
        }
        let known = try check()
        for migration in Migration.all where known[migration.number] == nil {
            _ = try transaction {
                // Another process may have been faster.
                let known = try check()
                guard known[migration.number] == nil else { return false }
                try connection.execute(script: translate(migration.sql))
                try connection.execute(
                    """
                    INSERT INTO migrations (number, name, checksum, applied_at)
                    VALUES (\(migration.number), \(migration.name), \(migration.checksum), \(clock.now()))
                    """)
                return true
            }
        }
    }

    /// Every step with the time at which it was applied.
    package func steps() throws -> [Step] {
        let known = try check()
        return Migration.all.map { Step(number: $0.number, name: $0.name, appliedAt: known[$0.number]) }
    }

    /// What the database has been through. Refuses a database of a newer program, or one whose steps were other than ours.
    private func check() throws -> [Int: Timestamp] {
        let rows = try connection.query("SELECT number, checksum, applied_at FROM migrations ORDER BY number") { row in
            (number: Int(row.integer(0)), checksum: row.text(1), appliedAt: row.time(2))
        }
        for row in rows {
            guard let migration = Migration.all.first(where: { $0.number == row.number }) else {
                throw Failure(
                    .unusable,
                    "The database has migration \(row.number), which this version of linden does not know. Use a newer linden.")
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
        SHA256.hash(data: Array(sql.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
