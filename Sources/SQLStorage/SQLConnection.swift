/// A connection to a database, implemented by a driver. Used by one thread at a time; blocks only on the database.
package protocol SQLConnection: AnyObject {
    /// Runs one statement and returns its decoded rows.
    func query<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> [Value]
    /// Runs one statement and passes its rows to `body` until that returns false; later rows are not read.
    func read(_ sql: SQL, while body: (any SQLRow) throws -> Bool) throws
    /// Runs one statement and ignores its rows.
    func execute(_ sql: SQL) throws
    /// Runs one statement. Returns whether it returned any row.
    ///
    /// - Parameter bind: binds all parameters.
    @discardableResult
    func execute(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Bool
    /// See ``Linden/Reader/damage(within:)``.
    func damage(within limit: Duration?) throws -> [String]?
    /// Runs a script of several statements.
    func execute(script: String) throws
}

extension SQLConnection {
    package func first<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> Value? {
        try query(sql, decode).first
    }

    /// Whether a query, or a statement with a RETURNING clause, returned any row.
    package func hasRows(_ sql: SQL) throws -> Bool {
        try !query(sql) { _ in }.isEmpty
    }
}
