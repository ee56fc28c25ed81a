import SQLStorage

extension PostgresConnection {
    /// The number of rows that are fetched at once.
    private static let fetchedRows = 1000

    /// Reads rows through a cursor, so that neither all of them are in memory nor those after the last one wanted are read.
    func read(_ sql: SQL, while body: (any SQLRow) throws -> Bool) throws {
        let name = nextCursor()
        _ = try runOnce("DECLARE \(name) NO SCROLL CURSOR FOR \(sql.text)", sql.values)
        do {
            reading: while true {
                let rows = PostgresRow(try runOnce("FETCH \(Self.fetchedRows) FROM \(name)"))
                while rows.next() {
                    guard try body(rows) else { break reading }
                }
                try rows.check()
                guard rows.count == Self.fetchedRows else { break }
            }
        } catch {
            if isInTransaction { _ = try? run("CLOSE \(name)") }
            throw error
        }
        _ = try run("CLOSE \(name)")
    }
}
