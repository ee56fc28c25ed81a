import LindenKernel

/// The progress of an unfinished copy: a table of the target, written in the transactions of the rows, and dropped in the last one.
package struct CopyProgress {
    package static let table = "copy_progress"

    private let connection: any SQLConnection
    /// The key of the source's installation; empty if it has none.
    private let installation: String

    init(_ target: any CopyTarget, of source: any CopySource) throws {
        connection = target.connection
        installation =
            try source.connection.first("SELECT value FROM installation WHERE name = 'public_id_key'") { $0.text(0) } ?? ""
    }

    /// Begins a copy of tables.
    func create(_ tables: [CopiedTable]) throws {
        try connection.execute(
            script: """
                CREATE TABLE \(Self.table) (
                    table_name TEXT NOT NULL PRIMARY KEY,
                    installation TEXT NOT NULL,
                    row_count BIGINT NOT NULL,
                    checksum BIGINT NOT NULL
                )
                """)
        for table in tables { try save(RowChecksum(), of: table) }
    }

    func save(_ checksum: RowChecksum, of table: CopiedTable) throws {
        try connection.execute(
            """
            INSERT INTO copy_progress (table_name, installation, row_count, checksum)
            VALUES (\(table.name), \(installation), \(checksum.rows), \(checksum.sum))
            ON CONFLICT (table_name) DO UPDATE SET row_count = excluded.row_count, checksum = excluded.checksum
            """)
    }

    /// Returns what was copied of each table. Fails with `conflict` if it was of another installation.
    func load(_ name: String) throws -> [String: RowChecksum] {
        let rows = try connection.query("SELECT table_name, installation, row_count, checksum FROM copy_progress") { row in
            (row.text(0), row.text(1), RowChecksum(rows: row.integer(2), sum: row.integer(3)))
        }
        guard rows.allSatisfy({ $0.1 == installation }) else {
            throw Failure(.conflict, "The database \(name) holds an unfinished copy of another installation. Name another by --to.")
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.0, $0.2) })
    }

    func drop() throws {
        try connection.execute(script: "DROP TABLE \(Self.table)")
    }
}
