import Foundation
import Linden
import LindenKernel
import LindenServices
import Logging
import SQLStorage
import Synchronization

/// Linden's storage in one SQLite file: one writer thread, several reader threads.
///
/// Group commit: waiting writes are committed together with one `fsync`. No write waits for a batch to fill; a batch is whatever was
/// queued during the previous commit. The file is in WAL mode; only a server's writer checkpoints it, between batches and never during
/// a commit, see ``CheckpointGate``.
package final class SQLiteStorage: Database {
    private let writer: SQLiteWriter
    private let readers: SQLiteReaders?
    /// The readers of ``analyze(_:_:)``.
    private let analysts: SQLiteReaders?
    /// By app, so that the live and test sides of one app do not take all readers.
    private let questions = Turns<App.ID>(
        mostWaiting: 64, refusal: "Too many queries of this app are waiting; please try again.")
    private let health: StorageHealth
    /// Held for the lifetime of the storage; nil for a command and in memory.
    private let lease: ServerLease?

    /// Opens a database and brings its schema up to date.
    ///
    /// - Parameter path: a file, or `:memory:` for a private database that ends with this object.
    /// - Throws: `notFound` if there is no database and none is to be created, `conflict` if another server holds the lease that this one
    ///   needs, otherwise `unusable` with one sentence for the operator.
    package init(
        path: String, options: SQLiteOptions = SQLiteOptions(), clock: WallClock = .system, logger: Logger = Logger(label: "linden")
    ) throws {
        do {
            let (connection, lease) = try Self.connect(path, options, clock, logger)
            self.lease = lease
            let state = SQLState(
                owner: UUID().uuidString, pendingClicks: options.pendingClickLimit.map { PendingClickIndex(limit: $0) })
            if options.pendingClickLimit != nil {
                _ = try connection.withImmediateTransaction {
                    try SQLTransaction(connection: connection, state: state, now: clock.now()).recoverPendingClicks()
                    return true
                }
            }
            let health = StorageHealth(logger: logger)
            self.health = health
            // An in-memory database belongs to one connection, so its reads are done by the writer.
            readers =
                try path == DatabasePath.memory
                ? nil : SQLiteReaders(options.readers, path: path, options, state: state, clock: clock, health: health)
            analysts =
                try path == DatabasePath.memory
                ? nil
                : SQLiteReaders(
                    options.analysts, path: path, options, state: state, clock: clock, health: health, givesWay: true,
                    timeLimit: options.questionLimit)
            writer = SQLiteWriter(connection: connection, options: options, state: state, clock: clock, health: health)
        } catch let error as SQLiteError {
            throw Failure.unusable("The database \(path) \(error.openingProblem).")
        }
    }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseReader) throws -> Value) async throws -> Value {
        if let readers { return try await readers.perform { try body($0) } }
        return try await writer.perform { try body($0) }
    }

    package func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any DatabaseReader) throws -> Value
    ) async throws -> Value {
        guard let analysts else { return try await read(body) }
        return try await questions.run(scope.app) { try await analysts.perform { try body($0) } }
    }

    package func write<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value) async throws -> Value
    {
        try await writer.perform { try body($0) }
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        writer.perform({ try body($0) }, then: deliver)
    }

    /// Purges the write-ahead log: moves it into the database, which overwrites deleted content, and truncates it. False after 10 attempts.
    package func purgeWriteAheadLog() async throws -> Bool {
        for _ in 0..<10 {
            if try await writer.emptyLog() { return true }
            try await Task.sleep(for: .milliseconds(250))
        }
        return false
    }

    package var writeProblem: String? { health.writeProblem }

    package var foreignChanges: Int { writer.foreignChanges.load(ordering: .relaxed) }

    /// The key behind this database's public ids.
    package func installationKey(random: RandomSource) async throws -> InstallationKey {
        if let key = try await read({ try ($0 as? SQLTransaction)?.installationKey() }) { return key }
        let made = try await writer.perform { try $0.makeInstallationKey(random: random) }
        guard let made else { throw Failure.unavailable("The key of the installation could not be created.") }
        return made
    }

    /// Returns every migration with the time at which it was applied.
    package func migrations() async throws -> [Migrator.Step] {
        try await writer.perform { transaction in
            try Migrator(connection: transaction.connection, clock: .system, translate: SQLiteDialect.translate).steps()
        }
    }

    /// Finishes accepted calls, releases the node number and closes the file. Later calls fail with `unavailable`.
    package func shutdown() async {
        await readers?.shutdown()
        await analysts?.shutdown()
        await writer.shutdown()
    }

    private static func connect(
        _ path: String, _ options: SQLiteOptions, _ clock: WallClock, _ logger: Logger
    ) throws -> (SQLiteConnection, ServerLease?) {
        let mayBeMade = options.creates || path == DatabasePath.memory
        if !mayBeMade { try DatabasePath.checkExistence(path) }
        if !options.fillsEmptyFile { try DatabasePath.checkContent(path) }
        if mayBeMade, path != DatabasePath.memory { DatabasePath.makePrivateFile(path) }
        let connection = try SQLiteConnection(path: path, access: mayBeMade ? .create : .readWrite)
        // The table of migrations is always created first, so a database with other tables only is another program's.
        let tables = try connection.tables()
        let isNew = !tables.contains("migrations")
        guard !isNew || tables.isEmpty && mayBeMade else {
            throw Failure.unusable(
                "\(DatabasePath.absolute(path)) is not a database of Linden: it has "
                    + (tables.isEmpty ? "no tables." : "another program's tables."))
        }
        // Before the write-ahead log is created, which gets the permissions of the database.
        if let open = DatabaseFiles(path: path)?.closeToOthers(), !open.isEmpty, options.server != nil {
            logger.warning(
                "Files of the database were open to every user of this machine. Their permissions were changed.",
                metadata: ["files": "\(open.joined(separator: ", "))"])
        }
        try connection.enableWriteAheadLog()
        try connection.execute(script: options.writerPragmas)
        let lease = try path == DatabasePath.memory ? nil : options.server.map { try ServerLease(path: path, holder: $0) }
        connection.takeOverCheckpoints(try CheckpointGate(path: path))
        try Migrator(connection: connection, clock: clock, translate: SQLiteDialect.translate)
            .migrate(isNew: isNew, transaction: connection.withImmediateTransaction)
        return (connection, lease)
    }
}

/// Options for opening a database.
package struct SQLiteOptions: Sendable {
    package enum Durability: String, Sendable, CaseIterable {
        /// Every commit is on the disk before it is acknowledged.
        case full
        /// A commit survives a crash of the program but perhaps not of the machine.
        case normal
    }

    package var durability: Durability
    package var readers: Int
    /// Reader threads of low priority, for questions that may read many rows.
    package var analysts: Int
    /// The longest time of a question; nil for any.
    package var questionLimit: Duration?
    /// The number of writes that may wait before further ones are refused.
    package var queueLimit: Int
    /// Whether this process moves the write-ahead log into the database: the server does, a command must not.
    package var checkpoints: Bool
    /// Whether a missing database is created; one in memory always is.
    package var creates: Bool
    /// Whether a file of 0 bytes is opened as a new database instead of being refused as one that lost its content.
    package var fillsEmptyFile: Bool
    /// The server that needs the database's lease; nil for a command.
    package var server: ServerLease.Holder?
    /// The number of pending clicks that may be in memory before further ones are refused. Nil writes each to its table with its click,
    /// as every process must that is not the database's only server.
    package var pendingClickLimit: Int?

    package init(
        durability: Durability = .full, readers: Int = 4, analysts: Int = 2, questionLimit: Duration? = nil, queueLimit: Int = 8192,
        checkpoints: Bool = false,
        creates: Bool = false, fillsEmptyFile: Bool = false, server: ServerLease.Holder? = nil,
        pendingClickLimit: Int? = nil
    ) {
        self.pendingClickLimit = pendingClickLimit
        self.fillsEmptyFile = fillsEmptyFile
        self.durability = durability
        self.readers = readers
        self.analysts = analysts
        self.questionLimit = questionLimit
        self.queueLimit = queueLimit
        self.checkpoints = checkpoints
        self.creates = creates
        self.server = server
    }

    var writerPragmas: String {
        """
        PRAGMA wal_autocheckpoint = 0;
        PRAGMA synchronous = \(durability.rawValue);
        PRAGMA foreign_keys = ON;
        PRAGMA secure_delete = ON;
        PRAGMA cache_size = -32768;
        PRAGMA temp_store = MEMORY;
        """
    }

    static let readerPragmas = """
        PRAGMA query_only = ON;
        PRAGMA cache_size = -4096;
        PRAGMA temp_store = MEMORY;
        """
}

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
