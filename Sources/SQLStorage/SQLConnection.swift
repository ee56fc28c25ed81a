/// A connection to a database, as a driver offers it. Used by one thread at a time; it never waits for anything but the database.
package protocol SQLConnection: AnyObject {
    /// Runs one statement and decodes its rows.
    func query<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> [Value]
    /// Runs one statement and reads its rows one by one until `body` returns false; later rows are not read.
    func read(_ sql: SQL, while body: (any SQLRow) throws -> Bool) throws
    /// Runs one statement for its effect.
    func execute(_ sql: SQL) throws
    /// See ``Linden/Reader/damage(within:)``.
    func damage(within limit: Duration?) throws -> [String]?
    /// Runs a script of several statements.
    func execute(script: String) throws
}

extension SQLConnection {
    package func first<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> Value? {
        try query(sql, decode).first
    }

    /// Whether a statement with a RETURNING clause, or a query, gave any row.
    package func hasRows(_ sql: SQL) throws -> Bool {
        try !query(sql) { _ in }.isEmpty
    }
}
