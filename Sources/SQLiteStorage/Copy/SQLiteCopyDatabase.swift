import Foundation
import LindenKernel
import Logging
import SQLStorage

/// A database of SQLite that is copied, or a copy's target.
package class SQLiteCopyDatabase: CopyDatabase {
    package let name: String
    let database: SQLiteConnection

    init(_ path: String, _ database: SQLiteConnection) {
        name = path
        self.database = database
    }

    package var connection: any SQLConnection { database }

    package func migrations() throws -> [Migrator.Step] {
        try Migrator(connection: database, clock: .system, translate: SQLiteDialect.translate).steps()
    }

    package func tables() throws -> [CopiedTable] {
        try database.tables().filter { !$0.hasPrefix("sqlite_") }.map { table in
            let columns = try database.query("SELECT name, type, pk FROM pragma_table_info(\(table)) ORDER BY cid") { row in
                (name: row.text(0), type: row.text(1), position: row.integer(2))
            }
            let references = try database.query("SELECT \"table\" FROM pragma_foreign_key_list(\(table))") { $0.text(0) }
            return CopiedTable(
                name: table, columns: try columns.map { CopiedTable.Column($0.name, try kind($0.type, of: $0.name, in: table)) },
                key: columns.filter { $0.position > 0 }.sorted { $0.position < $1.position }.map(\.name),
                references: Set(references))
        }
    }

    private func kind(_ type: String, of column: String, in table: String) throws -> CopiedTable.Column.Kind {
        switch type {
        case "INTEGER", "BIGINT": return .integer
        case "TEXT": return .text
        case "BLOB": return .bytes
        default:
            throw Failure.unusable(
                "The column \(column) of the table \(table) of \(name) has the type \(type), which cannot be copied.")
        }
    }
}

/// A database whose file is read in one transaction. What a server writes meanwhile makes its write-ahead log longer.
package final class SQLiteCopySource: SQLiteCopyDatabase, CopySource {
    /// Fails with `notFound` or `unusable` with a sentence for the operator.
    package init(path: String) throws {
        do {
            guard access(path, F_OK) == 0 else { throw Failure.notFound("There is no database at \(DatabasePath.absolute(path)).") }
            let connection = try SQLiteConnection(path: path, access: .readOnly)
            try connection.execute(script: SQLiteOptions.readerPragmas)
            try connection.execute(script: "BEGIN; SELECT COUNT(*) FROM sqlite_schema")
            super.init(path, connection)
        } catch let error as SQLiteError {
            throw Failure.unusable("The database \(path) \(error.openingProblem).")
        }
    }

    package func renewView() throws { try database.execute(script: "COMMIT; BEGIN; SELECT COUNT(*) FROM sqlite_schema") }

    package let hasPendingClicksInMemory = true

    package func isServed() throws -> Bool { ServerLease.isHeld(path: name) }
}

/// A database whose lease this process has.
package final class SQLiteCopyTarget: SQLiteCopyDatabase, CopyTarget {
    /// 16 MiB of write-ahead log at 4 KiB a page.
    private static let checkpointPages: Int32 = 4096

    private let lease: ServerLease?

    /// Opens a database, or creates it. Fails with `conflict` if a server has it, otherwise with `unusable`.
    package init(path: String, holder: ServerLease.Holder, clock: WallClock = .system) throws {
        var options = SQLiteOptions(durability: .normal, creates: true, fillsEmptyFile: true, server: holder)
        options.isCopyTarget = true
        do {
            let (connection, lease) = try SQLiteStorage.connect(path, options, clock, Logger(label: "linden"))
            self.lease = lease
            // In the end it takes less time, see `brokenReferences`.
            try connection.execute(script: "PRAGMA foreign_keys = OFF")
            super.init(path, connection)
        } catch let error as SQLiteError {
            throw Failure.unusable("The database \(path) \(error.openingProblem).")
        }
    }

    package let storesNUL = true

    package func beginWriting() throws { try database.beginWriting() }

    package func insert(_ row: [SQLValue], into table: CopiedTable) throws {
        try database.execute(SQL(text: table.insertion, values: row))
    }

    package func endInserting() {}

    /// All references are checked in the end.
    package func deferReferences() {}

    package func checkReferences() {}

    package func commit() throws {
        try database.commit()
        if database.walPages >= Self.checkpointPages { _ = try database.checkpoint() }
    }

    package func rollBack() { database.rollBack() }

    package func finish() throws { _ = try database.emptyLog() }
}
