import LindenKernel

/// The progress of an unfinished copy: a table of the target with the ranges that were copied, written in the transactions of their rows,
/// and dropped in the last one.
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

    /// Begins a copy.
    func create() throws {
        try connection.execute(
            script: """
                CREATE TABLE \(Self.table) (
                    table_name TEXT NOT NULL,
                    range_number BIGINT NOT NULL,
                    last_key TEXT NOT NULL,
                    installation TEXT NOT NULL,
                    row_count BIGINT NOT NULL,
                    checksum BIGINT NOT NULL,
                    PRIMARY KEY (table_name, range_number)
                )
                """)
    }

    func save(_ range: CopiedRange, of table: CopiedTable) throws {
        try connection.execute(
            """
            INSERT INTO copy_progress (table_name, range_number, last_key, installation, row_count, checksum)
            VALUES (\(table.name), \(range.number), \(CopiedKey.text(of: range.last)), \(installation), \(range.checksum.rows),
                \(range.checksum.sum))
            ON CONFLICT (table_name, range_number) DO UPDATE SET row_count = excluded.row_count, checksum = excluded.checksum
            """)
    }

    /// Returns what was copied of each table. Fails with `conflict` if it was of another installation.
    func load(_ name: String) throws -> [String: [CopiedRange]] {
        let rows = try connection.query(
            """
            SELECT table_name, installation, range_number, last_key, row_count, checksum FROM copy_progress
            ORDER BY table_name, range_number
            """
        ) { row in
            (
                table: row.text(0), installation: row.text(1),
                range: CopiedRange(
                    number: row.integer(2), last: try CopiedKey.values(of: row.text(3)),
                    checksum: RowChecksum(rows: row.integer(4), sum: row.integer(5)))
            )
        }
        guard rows.allSatisfy({ $0.installation == installation }) else {
            throw Failure(.conflict, "The database \(name) holds an unfinished copy of another installation. Name another by --to.")
        }
        return Dictionary(grouping: rows, by: \.table).mapValues { $0.map(\.range) }
    }

    func drop() throws {
        try connection.execute(script: "DROP TABLE \(Self.table)")
    }
}
