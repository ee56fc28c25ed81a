import CSQLite
import Foundation
import Linden
import LindenKernel
import SQLStorage

/// A connection of libsqlite3 with its prepared statements. Used by one thread at a time (`SQLITE_OPEN_NOMUTEX`).
final class SQLiteConnection: SQLConnection {
    enum Access {
        case readOnly
        /// Like ``readOnly``, for a file that no process changes, such as a backup: no files appear beside it, and its folder need not be
        /// writable. A write-ahead log is not read.
        case atRest
        case readWrite
        /// Like ``readWrite``, but creates the file if it does not exist.
        case create
    }

    /// The maximum number of prepared statements kept. Half of them always stay, and the program has fewer distinct ones.
    private static let statementCapacity = 512

    /// Milliseconds to wait for a lock of another process.
    static let busyTimeout: Int32 = 5000

    private(set) var handle: OpaquePointer?
    private var statements = TwoGenerationCache<SQL.Key, SQLiteStatement>(capacity: SQLiteConnection.statementCapacity)
    /// The statements with constant text, by their numbers; nil for those not prepared yet.
    private var staticStatements: [SQLiteStatement?] = []
    /// The lock held during each write transaction; nil for readers and in memory.
    var gate: CheckpointGate?
    /// Whether the statements of the last time limit ended before it, see ``withTimeLimit(_:_:_:)``.
    var wasCutShort = false
    /// Pages in the write-ahead log after the last commit of this connection.
    var walPages: Int32 = 0

    /// SQLite's process-wide configuration. Has no effect, and does no harm, after SQLite is initialized.
    private static let configuration: Void = { _ = linden_sqlite3_disable_memory_statistics() }()

    init(path: String, access: Access) throws {
        Self.configuration
        let flags = access.flags | SQLITE_OPEN_NOMUTEX
        // Debian's library accepts `file:` URIs with parameters; here such a path is an ordinary file name.
        var name = path.hasPrefix("file:") ? "./" + path : path
        if access == .atRest { name = DatabasePath.immutableURI(path) }
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        guard code == SQLITE_OK else {
            let error = SQLiteError(handle, code: code)
            sqlite3_close_v2(handle)
            handle = nil
            throw error
        }
        // Set first: every later statement may have to wait for another process.
        sqlite3_busy_timeout(handle, Self.busyTimeout)
        sqlite3_extended_result_codes(handle, 1)
        Self.defineFunctions(handle)
    }

    deinit {
        close()
    }

    func close() {
        statements = TwoGenerationCache(capacity: Self.statementCapacity)
        staticStatements = []
        sqlite3_close_v2(handle)
        handle = nil
    }

    // MARK: Statements

    func query<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> [Value] {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(sql.values)
        var values: [Value] = []
        while try statement.step() { values.append(try decode(statement)) }
        return values
    }

    func read(_ sql: SQL, while body: (any SQLRow) throws -> Bool) throws {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(sql.values)
        while try statement.step(), try body(statement) {}
    }

    func changedRows(by sql: SQL) throws -> Int {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(sql.values)
        while try statement.step() {}
        return Int(sqlite3_changes64(handle))
    }

    func changedRows(by sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Int {
        let statement = try prepared(sql)
        defer { statement.reset() }
        bind(statement)
        try statement.checkBindings()
        while try statement.step() {}
        return Int(sqlite3_changes64(handle))
    }

    func read(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void, while body: (any SQLRow) throws -> Bool) throws {
        let statement = try prepared(sql)
        defer { statement.reset() }
        bind(statement)
        try statement.checkBindings()
        while try statement.step(), try body(statement) {}
    }

    func hasRows(_ sql: StaticSQL, _ bind: (any SQLBindings) -> Void) throws -> Bool {
        let statement = try prepared(sql)
        defer { statement.reset() }
        bind(statement)
        try statement.checkBindings()
        return try statement.step()
    }

    func execute(script: String) throws {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(handle, code: code) }
    }

    private func prepared(_ sql: SQL) throws -> SQLiteStatement {
        if let statement = statements.value(for: sql.key) { return statement }
        let statement = try SQLiteStatement(handle, sql.text)
        statements.insert(statement, for: sql.key)
        return statement
    }

    private func prepared(_ sql: StaticSQL) throws -> SQLiteStatement {
        while staticStatements.count <= sql.number { staticStatements.append(nil) }
        if let statement = staticStatements[sql.number] { return statement }
        assert(sql.bindsInOrder, "SQLite binds by the order of appearance, PostgreSQL by number: \(sql.text)")
        let statement = try SQLiteStatement(handle, sql.text)
        staticStatements[sql.number] = statement
        return statement
    }

    // MARK: State

    /// The number of rows this connection has changed since it was opened.
    var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// A number that changes when another connection commits; commits of this connection do not change it.
    func dataVersion() throws -> Int64 {
        try first("PRAGMA data_version") { $0.integer(0) } ?? 0
    }

    /// Enables the write-ahead log. On a new file this needs an exclusive lock, for which SQLite does not wait by itself: retries for 5 s.
    func enableWriteAheadLog() throws {
        for attempt in 0... {
            do {
                let mode = try first("PRAGMA journal_mode = WAL") { $0.text(0) }
                guard mode == "wal" || mode == "memory" else { throw SQLiteError(handle, code: SQLITE_CANTOPEN) }
                return
            } catch let error as SQLiteError where error.isBusy && attempt < 100 {
                usleep(50_000)
            }
        }
    }

    func tables() throws -> [String] {
        try query("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(0) }
    }

    /// Runs a closure in a transaction with no concurrent writer; commits if the closure returns true.
    func withImmediateTransaction(_ body: () throws -> Bool) throws -> Bool {
        do {
            try beginWriting()
            let isDone = try body()
            if isDone { try commit() } else { rollBack() }
            return isDone
        } catch {
            rollBack()
            throw error
        }
    }

    func beginWriting() throws {
        gate?.lockShared()
        try execute(Self.beginImmediate) { _ in }
    }

    /// Begins a transaction that reads one snapshot. Ends with ``commit()`` or ``rollBack()``.
    func beginReading() throws {
        try execute(Self.begin) { _ in }
    }

    func commit() throws {
        try execute(Self.commit) { _ in }
        gate?.unlock()
    }

    private static let begin = StaticSQL("BEGIN")
    private static let beginImmediate = StaticSQL("BEGIN IMMEDIATE")
    private static let commit = StaticSQL("COMMIT")

    /// Rolls back a transaction begun by ``beginWriting()`` or BEGIN, if one is open, and releases the lock.
    func rollBack() {
        if isInTransaction { try? execute("ROLLBACK") }
        gate?.unlock()
    }
}

extension SQLiteConnection.Access {
    fileprivate var flags: Int32 {
        switch self {
        case .readOnly: SQLITE_OPEN_READONLY
        case .atRest: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        case .readWrite: SQLITE_OPEN_READWRITE
        case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
    }
}
