import SQLStorage

extension SQLiteConnection {
    /// Reads the pages of the database and checks that they are well formed and that indexes agree with their tables.
    ///
    /// - Parameter limit: the time limit; nil for none.
    /// - Returns: one sentence per damage; nil if the time limit was reached.
    func damage(within limit: Duration?) throws -> [String]? {
        do {
            let found = try withTimeLimit(limit) { try query("PRAGMA integrity_check(20)") { $0.text(0) } }
            return found == ["ok"] ? [] : found
        } catch let error as SQLiteError where error.isInterrupted {
            return nil
        } catch let error as SQLiteError where error.isDamage {
            return [error.message]
        }
    }

    /// Returns the rows whose foreign keys name no row, a sentence each. Looks up each reference once.
    func brokenReferences(limit: Int) throws -> [String] {
        var problems: [String] = []
        try read("PRAGMA foreign_key_check") { row in
            let place = row.isNull(1) ? "A row of \(row.text(0))" : "Row \(row.integer(1)) of \(row.text(0))"
            problems.append("\(place) names a row of \(row.text(2)) that is not there.")
            return problems.count < limit
        }
        return problems
    }
}
