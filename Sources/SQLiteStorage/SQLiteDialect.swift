/// Translates migrations from PostgreSQL's dialect to SQLite's.
enum SQLiteDialect {
    static func translate(_ sql: String) -> String {
        var text = sql
        // The order matters: a BIGINT primary key is the rowid and costs no index of its own.
        for (from, to) in [
            ("BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY"), ("BIGINT", "INTEGER"), ("SMALLINT", "INTEGER"), ("BYTEA", "BLOB"),
        ] {
            text = text.split(separator: from, omittingEmptySubsequences: false).joined(separator: to)
        }
        return text.split(separator: tableEnd, omittingEmptySubsequences: false).reduce(into: "") { result, table in
            if !result.isEmpty { result += end(of: result) }
            result += table
        }
    }

    private static let tableEnd = "\n);"

    /// Returns the end of the table that a text ends with. A primary key of several columns is the table itself, because as an index it would
    /// have most of each row a second time, and be a second page for each look-up and each write.
    private static func end(of text: String) -> String {
        let table = text.split(separator: "CREATE TABLE ").last ?? ""
        let isKey = table.contains("\n    PRIMARY KEY (") && !table.hasPrefix(tableWithRowID)
        return isKey ? "\n) STRICT, WITHOUT ROWID;" : "\n) STRICT;"
    }

    /// The planner would search it by the primary key, and so read clicks that are claimed, of which a device may have very many.
    private static let tableWithRowID = "device_clicks ("
}
