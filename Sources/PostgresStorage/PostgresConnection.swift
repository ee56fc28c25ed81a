import CPostgres
import LindenKernel
import SQLStorage

/// A connection of libpq with its prepared statements. Used by one thread at a time.
///
/// A lost connection is opened again by the next transaction. While that fails, the time between attempts doubles up to a second, and
/// transactions fail at once.
final class PostgresConnection: SQLConnection {
    /// The maximum number of prepared statements kept, besides those with constant text.
    private static let statementCapacity = 512
    private static let longestPause: Duration = .seconds(1)
    /// SQLSTATE of a transaction that is to write and begins on a standby, which a pooler may give another session: no feature is missing
    /// otherwise from what a transaction begins with.
    private static let beginsOnStandby = "0A000"

    let session: PostgresSession
    private(set) var handle: OpaquePointer?
    var statements = TwoGenerationCache<SQL.Key, PreparedStatement>(capacity: PostgresConnection.statementCapacity)
    /// The statements with constant text, by their numbers; nil for those not prepared yet.
    var staticStatements: [PreparedStatement?] = []
    var discarded = DiscardedStatements()
    /// The number of the last name of a statement or cursor.
    var lastName = 0
    let parameters = PostgresParameters()
    private var nextAttempt = ContinuousClock.now
    private var pause = Duration.milliseconds(100)
    /// The number of rows that this connection has written or deleted, of which statements with deferred results count as one each.
    var totalChanges = 0
    /// The error by which the present transaction must be repeated, if there was one.
    var conflict: PostgresError?
    /// When statements of a question fail; nil for no limit.
    var deadline: ContinuousClock.Instant?
    /// Whether the results of statements that are only executed are read later, see ``execute(_:)``.
    var defersResults = false
    /// The statements whose results were not read yet.
    var pipeline = PostgresPipeline()
    /// The number of times it was opened.
    private(set) var openings = 1
    private let notices = CommitNotices()

    init(_ session: PostgresSession) throws {
        self.session = session
        handle = try session.open()
        notices.listen(to: handle)
    }

    deinit {
        close()
    }

    func close() {
        statements = TwoGenerationCache(capacity: Self.statementCapacity)
        staticStatements = []
        discarded = DiscardedStatements()
        pipeline = PostgresPipeline()
        PQfinish(handle)
        handle = nil
    }

    // MARK: State

    var isLost: Bool { PQstatus(handle) != CONNECTION_OK }

    /// The server's version, such as 150004 of 15.4.
    var serverVersion: Int32 { PQserverVersion(handle) }

    /// Whether a transaction is open in which no statement has failed, as far as results were read.
    var isInTransaction: Bool { !pipeline.isEmpty || PQtransactionStatus(handle) == PQTRANS_INTRANS }

    /// Opens a lost connection again. Fails at once between attempts.
    func ensureOpen() throws {
        guard isLost else { return }
        guard ContinuousClock.now >= nextAttempt else {
            throw PostgresError(state: "08006", message: "the connection is lost", isLost: true)
        }
        close()
        do {
            handle = try session.open()
            notices.listen(to: handle)
            openings += 1
            pause = .milliseconds(100)
        } catch {
            nextAttempt = .now + pause
            pause = min(pause * 2, Self.longestPause)
            throw error
        }
    }

    /// Begins a transaction, with its first commands, which have no effect without it, and are repeated on a new connection if the present one
    /// is lost. Returns the last command's result. A session that turns out to be a standby's is closed, and opened again by the next one.
    @discardableResult
    func begin(_ command: String, then first: String) throws -> PostgresResult {
        let commands = [command, session.transactionSettings, first].compactMap(\.self).joined(separator: "; ")
        conflict = nil
        try ensureOpen()
        do {
            do {
                return try run(commands)
            } catch let error as PostgresError where error.isLost {
                try ensureOpen()
                return try run(commands)
            }
        } catch let error as PostgresError where error.state == Self.beginsOnStandby {
            close()
            throw PostgresError(state: PostgresError.readOnly, message: error.message)
        }
    }

    /// Variant of ``begin(_:then:)`` that sends the command together with the transaction's first statement.
    func beginWithStatement(_ command: String) throws {
        do {
            _ = try readResults(own: 0)
        } catch {
            close()
        }
        conflict = nil
        // What the server said last, and then that it has ended the session meanwhile.
        if !isLost, PQconsumeInput(handle) == 1 { PQconsumeInput(handle) }
        try ensureOpen()
        try send(command)
        if let settings = session.transactionSettings { try send(settings) }
    }

    /// Commits a transaction after a last command, which is sent together with the commit. Returns the first value of its result. Fails with
    /// ``PostgresError/unconfirmed`` if the standby may not have it.
    func commit(after command: String) throws -> String? {
        notices.isUnconfirmed = false
        try send(command)
        try send("COMMIT")
        let results = try readResults(own: 2)
        let last = PostgresResult(results[0])
        let commit = PostgresResult(results[1])
        // The server answers ROLLBACK to the commit of a transaction in which a statement failed.
        guard commit.command == "COMMIT" else { throw PostgresError(state: "25P02", message: "the transaction was aborted") }
        guard !notices.isUnconfirmed else {
            throw PostgresError(state: PostgresError.unconfirmed, message: "a commit's wait for the standby was cancelled")
        }
        return last.first
    }

    /// Variant of ``rollBack()`` that does not wait: ``beginWithStatement(_:)`` reads the result.
    func sendRollBack() {
        _ = try? readResults(own: 0)
        guard !isLost, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        do {
            try send("ROLLBACK")
            pipeline.flush(handle)
        } catch {
            rollBack()
        }
    }

    private func send(_ command: String) throws {
        try pipeline.send(handle, size: command.utf8.count) { PQsendQueryParams(handle, command, 0, nil, nil, nil, nil, 0) }
    }

    /// Rolls back the open transaction, if there is one.
    func rollBack() {
        defersResults = false
        _ = try? readResults(own: 0)
        guard !isLost, PQtransactionStatus(handle) != PQTRANS_IDLE else { return }
        _ = try? run("ROLLBACK")
    }
}
