/// A connection to a database, implemented by a driver. Used by one thread at a time; blocks only on the database.
package protocol SQLConnection: AnyObject {
    /// Runs one statement and returns its decoded rows.
    func query<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> [Value]
    /// Runs one statement and passes its rows to `body` until that returns false; later rows are not read.
    func read(_ sql: SQL, while body: (any SQLRow) throws -> Bool) throws
    /// Runs an INSERT, UPDATE or DELETE. Returns the number of rows that it wrote or deleted, without those of cascades.
    func changedRows(by sql: SQL) throws -> Int
    /// Variant of ``changedRows(by:)`` for a constant statement.
    ///
    /// - Parameter bind: binds all parameters.
    func changedRows(by sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Int
    /// Runs one statement and ignores its rows. Within a write, a driver may throw its error later, but no later than at the commit.
    func execute(_ sql: SQL) throws
    /// Variant of ``execute(_:)`` for a constant statement.
    func execute(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws
    /// Variant of ``read(_:while:)`` for a constant query with few rows, which a driver may fetch at once. The query writes nothing, and `body`
    /// does not run it again.
    func read(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void, while body: (any SQLRow) throws -> Bool) throws
    /// Runs a constant query. Returns whether it has any row.
    func hasRows(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Bool
    /// See ``Linden/Reader/damage(within:)``.
    func damage(within limit: Duration?) throws -> [String]?
    /// See ``LindenServices/DatabaseReader/brokenReferences(limit:)``.
    func brokenReferences(limit: Int) throws -> [String]
    /// Runs a script of several statements.
    func execute(script: String) throws
}

extension SQLConnection {
    package func first<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> Value? {
        try query(sql, decode).first
    }

    /// Variant of ``first(_:_:)`` for a constant query. Reads no row after the first.
    package func first<Value>(
        _ sql: StaticSQL, _ bind: (any SQLBindings) -> Void, _ decode: (any SQLRow) throws -> Value
    ) throws -> Value? {
        var first: Value?
        try read(sql, bind) { row in
            first = try decode(row)
            return false
        }
        return first
    }

    /// Variant of ``query(_:_:)`` for a constant query.
    package func query<Value>(
        _ sql: StaticSQL, _ bind: (any SQLBindings) -> Void, _ decode: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try read(sql, bind) { row in
            values.append(try decode(row))
            return true
        }
        return values
    }

    /// Whether a query has any row.
    package func hasRows(_ sql: SQL) throws -> Bool {
        try !query(sql) { _ in }.isEmpty
    }

    package func execute(_ sql: SQL) throws {
        _ = try changedRows(by: sql)
    }

    package func execute(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws {
        _ = try changedRows(by: sql, bind)
    }

    /// Runs an INSERT, UPDATE or DELETE. Returns whether it wrote or deleted any row.
    package func changesRows(_ sql: SQL) throws -> Bool {
        try changedRows(by: sql) > 0
    }

    /// Variant of ``changesRows(_:)`` for a constant statement.
    package func changesRows(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Bool {
        try changedRows(by: sql, bind) > 0
    }
}
