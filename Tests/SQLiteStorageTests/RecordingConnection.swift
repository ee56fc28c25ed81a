import SQLStorage

/// A connection that forwards all calls and records the statements.
final class RecordingConnection: SQLConnection {
    private let connection: any SQLConnection
    private(set) var recorded: [SQL] = []

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    func query<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> [Value] {
        recorded.append(sql)
        return try connection.query(sql, decode)
    }

    func read(_ sql: SQL, while body: (any SQLRow) throws -> Bool) throws {
        recorded.append(sql)
        try connection.read(sql, while: body)
    }

    func changedRows(by sql: SQL) throws -> Int {
        recorded.append(sql)
        return try connection.changedRows(by: sql)
    }

    func changedRows(by sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Int {
        record(sql, bind)
        return try connection.changedRows(by: sql, bind)
    }

    func read(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void, while body: (any SQLRow) throws -> Bool) throws {
        record(sql, bind)
        try connection.read(sql, bind, while: body)
    }

    func hasRows(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Bool {
        record(sql, bind)
        return try connection.hasRows(sql, bind)
    }

    private func record(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) {
        let values = RecordedBindings()
        bind(values)
        recorded.append(SQL(text: sql.text, values: values.values))
    }

    func damage(within limit: Duration?) throws -> [String]? { try connection.damage(within: limit) }

    func brokenReferences(limit: Int) throws -> [String] { try connection.brokenReferences(limit: limit) }

    func execute(script: String) throws {
        try connection.execute(script: script)
    }
}

private final class RecordedBindings: SQLBindings {
    private(set) var values: [SQLValue] = []

    func bind(_ integer: Int64?) { values.append(integer.map(SQLValue.integer) ?? .null) }
    func bind(_ text: String?) { values.append(text.map(SQLValue.text) ?? .null) }
}
