import CPostgres
import LindenKernel
import SQLStorage

extension PostgresConnection {
    func query<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> [Value] {
        let rows = PostgresRow(try result(of: sql))
        var values: [Value] = []
        values.reserveCapacity(rows.count)
        while rows.next() { values.append(try decode(rows)) }
        try rows.check()
        return values
    }

    /// Runs a statement. While ``defersResults`` is set, the server gets it together with later ones, and its error is thrown by one of them or by
    /// the commit.
    func execute(_ sql: SQL) throws {
        let statement = try prepared(sql)
        parameters.reset()
        parameters.bind(sql.values)
        try execute(statement)
    }

    func execute(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws {
        let statement = try prepared(sql)
        parameters.reset()
        bind(parameters)
        try execute(statement)
    }

    func changedRows(by sql: SQL) throws -> Int {
        try result(of: sql).changes
    }

    func changedRows(by sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Int {
        try result(of: sql, bind).changes
    }

    func read(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void, while body: (any SQLRow) throws -> Bool) throws {
        let rows = PostgresRow(try result(of: sql, bind))
        while rows.next(), try body(rows) {}
        try rows.check()
    }

    func hasRows(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Bool {
        try result(of: sql, bind).rows > 0
    }

    func execute(script: String) throws {
        _ = try run(script)
        totalChanges += 1
    }

    /// PostgreSQL checks its files and indexes by tools of its own.
    func damage(within limit: Duration?) throws -> [String]? { [] }

    /// PostgreSQL checks every reference when it is written.
    func brokenReferences(limit: Int) throws -> [String] { [] }

    /// Runs commands without parameters and returns the result of the last one.
    func run(_ commands: String) throws -> PostgresResult {
        _ = try readResults(own: 0)
        return try checked(PQexec(handle, commands))
    }

    /// Runs a statement once, without preparing it. Its rows are in binary format.
    func runOnce(_ text: String, _ values: [SQLValue] = []) throws -> PostgresResult {
        try checkDeadline()
        _ = try readResults(own: 0)
        parameters.reset()
        parameters.bind(values)
        return try checked(
            parameters.withPointers { PQexecParams(handle, text, $0, nil, $1, $2, $3, 1) })
    }

    private func result(of sql: SQL) throws -> PostgresResult {
        let statement = try prepared(sql)
        parameters.reset()
        parameters.bind(sql.values)
        return try run(statement)
    }

    private func result(of sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> PostgresResult {
        let statement = try prepared(sql)
        parameters.reset()
        bind(parameters)
        return try run(statement)
    }

    private func run(_ statement: PreparedStatement) throws -> PostgresResult {
        try checkDeadline()
        let result: PostgresResult
        if pipeline.isEmpty {
            result = try checked(
                parameters.withPointers { count, values, lengths, formats in
                    if let text = statement.text {
                        PQexecParams(handle, text, count, nil, values, lengths, formats, 1)
                    } else {
                        PQexecPrepared(handle, statement.name, count, values, lengths, formats, 1)
                    }
                })
        } else {
            try send(statement)
            result = PostgresResult(try readResults(own: 1)[0])
        }
        if result.isWrite { totalChanges += result.changes }
        return result
    }

    private func execute(_ statement: PreparedStatement) throws {
        guard defersResults else {
            _ = try run(statement)
            return
        }
        try send(statement)
        totalChanges += 1
        if pipeline.isFull { _ = try readResults(own: 0) }
    }

    private func send(_ statement: PreparedStatement) throws {
        try pipeline.send(handle, size: parameters.size + (statement.text?.utf8.count ?? 0)) {
            parameters.withPointers { count, values, lengths, formats in
                if let text = statement.text {
                    PQsendQueryParams(handle, text, count, nil, values, lengths, formats, 1)
                } else {
                    PQsendQueryPrepared(handle, statement.name, count, values, lengths, formats, 1)
                }
            }
        }
    }

    /// Reads the results of all statements that were sent. Throws the first error.
    ///
    /// - Parameter own: the number of the last statements whose results are returned.
    func readResults(own: Int) throws -> [OpaquePointer] {
        guard !pipeline.isEmpty else { return [] }
        let deferred = pipeline.count - own
        var (results, failure) = ([OpaquePointer](), PostgresError?.none)
        let isConnected = pipeline.finish(handle) { [session] position, result in
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY:
                if position < deferred { PQclear(result) } else { results.append(result!) }
            default:
                // Statements behind one that failed are not run, and fail as well.
                failure =
                    failure
                    ?? PostgresError(handle, result, isQuestion: session.isOfQuestions, isDeferred: position < deferred)
                PQclear(result)
            }
        }
        if !isConnected { close() }
        guard var failure else { return results }
        results.forEach { PQclear($0) }
        failure.isLost = isLost
        if failure.isConflict { conflict = failure }
        throw failure
    }

    private func prepared(_ sql: SQL) throws -> PreparedStatement {
        if let statement = statements.value(for: sql.key) { return statement }
        let statement = try prepare(sql.text)
        statements.insert(statement, for: sql.key)
        return statement
    }

    private func prepared(_ sql: StaticSQL) throws -> PreparedStatement {
        while staticStatements.count <= sql.number { staticStatements.append(nil) }
        if let statement = staticStatements[sql.number] { return statement }
        let statement = try prepare(sql.text)
        staticStatements[sql.number] = statement
        return statement
    }

    /// Returns a name for a cursor of the present transaction.
    func nextCursor() -> String {
        lastName += 1
        return "rows_\(lastName)"
    }

    private func prepare(_ text: String) throws -> PreparedStatement {
        guard session.prepares else { return PreparedStatement(text: text) }
        _ = try readResults(own: 0)
        for name in discarded.take() { _ = try run("DEALLOCATE \(name)") }
        lastName += 1
        let name = "linden_\(lastName)"
        _ = try checked(PQprepare(handle, name, text, 0, nil))
        return PreparedStatement(name: name, discarded: discarded)
    }

    func checked(_ result: OpaquePointer?) throws -> PostgresResult {
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return PostgresResult(result!)
        default:
            defer { PQclear(result) }
            let error = PostgresError(handle, result, isQuestion: session.isOfQuestions)
            if error.isConflict { conflict = error }
            throw error
        }
    }

    private func checkDeadline() throws {
        if let deadline, ContinuousClock.now >= deadline {
            throw PostgresError(state: "57014", message: "the time limit was reached", isQuestion: true)
        }
    }
}
