import CPostgres
import LindenKernel
import SQLStorage

/// A connection of libpq with its prepared statements. Used by one thread at a time.
///
/// A lost connection is opened again by the next transaction. While that fails, the time between attempts doubles up to five seconds, and
/// transactions fail at once.
final class PostgresConnection: SQLConnection {
    /// The maximum number of prepared statements kept, besides those with constant text.
    private static let statementCapacity = 512
    private static let longestPause: Duration = .seconds(5)

    private let session: PostgresSession
    private(set) var handle: OpaquePointer?
    private var statements = TwoGenerationCache<SQL.Key, PreparedStatement>(capacity: PostgresConnection.statementCapacity)
    /// The statements with constant text, by their numbers; nil for those not prepared yet.
    private var staticStatements: [PreparedStatement?] = []
    private var discarded = DiscardedStatements()
    /// The number of the last name of a statement or cursor.
    private var lastName = 0
    private let parameters = PostgresParameters()
    private var nextAttempt = ContinuousClock.now
    private var pause = Duration.milliseconds(100)
    /// The number of rows that this connection has written or deleted.
    private(set) var totalChanges = 0
    /// The error by which the present transaction must be repeated, if there was one.
    private(set) var conflict: PostgresError?
    /// When statements of a question fail; nil for no limit.
    var deadline: ContinuousClock.Instant?

    init(_ session: PostgresSession) throws {
        self.session = session
        handle = try session.open()
    }

    deinit {
        close()
    }

    func close() {
        statements = TwoGenerationCache(capacity: Self.statementCapacity)
        staticStatements = []
        discarded = DiscardedStatements()
        PQfinish(handle)
        handle = nil
    }

    // MARK: State

    var isLost: Bool { PQstatus(handle) != CONNECTION_OK }

    /// The server's version, such as 150004 of 15.4.
    var serverVersion: Int32 { PQserverVersion(handle) }

    /// Whether a transaction is open in which no statement has failed.
    var isInTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INTRANS }

    /// Opens a lost connection again. Fails at once between attempts.
    func ensureOpen() throws {
        guard isLost else { return }
        guard ContinuousClock.now >= nextAttempt else {
            throw PostgresError(state: "08006", message: "the connection is lost", isLost: true)
        }
        close()
        do {
            handle = try session.open()
            pause = .milliseconds(100)
        } catch {
            nextAttempt = .now + pause
            pause = min(pause * 2, Self.longestPause)
            throw error
        }
    }

    /// Begins a transaction by commands that have no effect without it, and are repeated on a new connection if the present one is lost.
    /// Returns the first value of the last command's result.
    @discardableResult
    func begin(_ commands: String) throws -> String? {
        conflict = nil
        try ensureOpen()
        do {
            return try run(commands).first
        } catch let error as PostgresError where error.isLost {
            try ensureOpen()
            return try run(commands).first
        }
    }

    func commit() throws {
        let result = try run("COMMIT")
        // The server answers ROLLBACK to the commit of a transaction in which a statement failed.
        guard result.command == "COMMIT" else { throw PostgresError(state: "25P02", message: "the transaction was aborted") }
    }

    /// Rolls back the open transaction, if there is one.
    func rollBack() {
        guard !isLost, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        _ = try? run("ROLLBACK")
    }

    // MARK: Statements

    func query<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> [Value] {
        let rows = PostgresRow(try result(of: sql))
        var values: [Value] = []
        values.reserveCapacity(rows.count)
        while rows.next() { values.append(try decode(rows)) }
        try rows.check()
        return values
    }

    func changedRows(by sql: SQL) throws -> Int {
        try result(of: sql).changes
    }

    func changedRows(by sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Int {
        try result(of: sql, bind).changes
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
        try checked(PQexec(handle, commands))
    }

    /// Runs a statement once, without preparing it. Its rows are in binary format.
    func runOnce(_ text: String, _ values: [SQLValue] = []) throws -> PostgresResult {
        try checkDeadline()
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
        let result = try checked(
            parameters.withPointers { PQexecPrepared(handle, statement.name, $0, $1, $2, $3, 1) })
        if result.isWrite { totalChanges += result.changes }
        return result
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
        for name in discarded.take() { _ = try run("DEALLOCATE \(name)") }
        lastName += 1
        let name = "linden_\(lastName)"
        _ = try checked(PQprepare(handle, name, text, 0, nil))
        return PreparedStatement(name: name, discarded: discarded)
    }

    /// Returns a result, or throws its error.
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
