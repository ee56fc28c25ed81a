import SQLStorage

extension PostgresConnection {
    /// The rows that are fetched first, and at most, at once. All of them are in memory at the same time, and the next may be much larger than
    /// those before.
    private static let (firstRows, mostRows) = (8, 64)
    /// The bytes that are to be fetched at once, as far as the last rows tell.
    private static let fetchedBytes = 1 << 20

    /// Reads rows through a cursor, so that neither all of them are in memory nor those after the last one wanted are read.
    func read(_ sql: SQL, while body: (any SQLRow) throws -> Bool) throws {
        let name = nextCursor()
        var wanted = Self.firstRows
        _ = try runOnce("DECLARE \(name) NO SCROLL CURSOR FOR \(sql.text)", sql.values)
        do {
            reading: while true {
                let rows = PostgresRow(try runOnce("FETCH \(wanted) FROM \(name)"))
                while rows.next() {
                    guard try body(rows) else { break reading }
                }
                try rows.check()
                guard rows.count == wanted else { break }
                wanted = max(1, min(2 * wanted, Self.mostRows, Self.fetchedBytes * wanted / max(1, rows.byteCount)))
            }
        } catch {
            if isInTransaction { _ = try? run("CLOSE \(name)") }
            throw error
        }
        _ = try run("CLOSE \(name)")
    }
}
