import Foundation

/// Translates migrations from PostgreSQL's dialect to SQLite's.
enum SQLiteDialect {
    static func translate(_ sql: String) -> String {
        // The order matters: a BIGINT primary key is the rowid and costs no index of its own.
        let translated = [
            ("BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY"), ("BIGINT", "INTEGER"), ("SMALLINT", "INTEGER"), ("BYTEA", "BLOB"),
        ].reduce(sql) { text, word in text.parts(separatedBy: word.0).joined(separator: word.1) }
        let tables = translated.parts(separatedBy: tableEnd)
        return tables.dropLast().map { $0 + end(of: $0) }.joined() + (tables.last ?? "")
    }

    private static let tableEnd = "\n);"

    /// Returns the end of the table that a text ends with. A primary key of several columns is the table itself, because as an index it would
    /// have most of each row a second time, and be a second page for each look-up and each write.
    private static func end(of text: String) -> String {
        let table = text.parts(separatedBy: "CREATE TABLE ").last ?? ""
        let isKey = table.parts(separatedBy: "\n    PRIMARY KEY (").count > 1 && !table.hasPrefix(tableWithRowID)
        return isKey ? "\n) STRICT, WITHOUT ROWID;" : "\n) STRICT;"
    }

    /// The planner would search it by the primary key, and so read clicks that are claimed, of which a device may have very many.
    private static let tableWithRowID = "device_clicks ("
}

extension String {
    /// Splits a text that has no NUL. Compares bytes: `split`, which compares characters, takes thirty times as long.
    fileprivate func parts(separatedBy separator: String) -> [String] {
        withCString { text in
            separator.withCString { separator in
                var (parts, rest) = ([String](), text)
                while let found = strstr(rest, separator).map({ UnsafePointer($0) }) {
                    parts.append(String(decoding: UnsafeRawBufferPointer(start: rest, count: found - rest), as: UTF8.self))
                    rest = found + strlen(separator)
                }
                return parts + [String(cString: rest)]
            }
        }
    }
}
