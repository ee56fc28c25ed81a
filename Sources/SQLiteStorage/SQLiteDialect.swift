/// Translates migrations from PostgreSQL's dialect to SQLite's.
enum SQLiteDialect {
    static func translate(_ sql: String) -> String {
        var text = sql
        // The order matters: a BIGINT primary key is the rowid and costs no index of its own.
        for (from, to) in [
            ("BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY"), ("BIGINT", "INTEGER"), ("SMALLINT", "INTEGER"), ("BYTEA", "BLOB"),
            ("\n);", "\n) STRICT;"),
        ] {
            text = text.split(separator: from, omittingEmptySubsequences: false).joined(separator: to)
        }
        return text
    }
}
