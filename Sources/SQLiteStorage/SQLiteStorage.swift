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
/// queued during the previous commit, and while threads that were ready to run had their turn. The file is in WAL mode; only a
/// server's writer checkpoints it, between batches and never during a commit, see ``CheckpointGate``.
package final class SQLiteStorage: SQLDatabase {
    private let writer: SQLiteWriter
    private let readers: SQLiteReaders?
    /// The readers of ``analyze(_:_:)``.
    private let analysts: SQLiteReaders?
    private let relief: LogRelief
    /// By app, so that the live and test sides of one app do not take all readers.
    private let questions = Turns<App.ID>(
        mostWaiting: 64, refusal: "Too many queries of this app are waiting; please try again.")
    package let health: StorageHealth
    /// Held for the lifetime of the storage; nil for a command and in memory.
    private let lease: ServerLease?

    /// Opens a database and brings its schema up to date.
    ///
    /// - Parameter path: a file, or `:memory:` for a private database that ends with this object.
    /// - Throws: `notFound` if there is no database and none is to be created, `conflict` if another server holds the lease that this one
    ///   needs, or the schema must not change because a server has the database, otherwise `unusable` with one sentence for the operator.
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
            relief = LogRelief()
            // An in-memory database belongs to one connection, so its reads are done by the writer.
            readers =
                try path == DatabasePath.memory
                ? nil
                : SQLiteReaders(
                    options.readers, path: path, options, state: state, clock: clock, health: health, relief: relief,
                    refused: options.metrics.refusedReads)
            analysts =
                try path == DatabasePath.memory
                ? nil
                : SQLiteReaders(
                    options.analysts, path: path, options, state: state, clock: clock, health: health, relief: relief,
                    givesWay: true, timeLimit: options.questionLimit, refused: options.metrics.refusedQuestions)
            writer = SQLiteWriter(
                connection: connection, options: options, state: state, clock: clock, health: health, relief: relief)
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

    /// The reader's thread passes its outcome to the writer, which saves a change of threads between them.
    package func write<Found: Sendable, Value: Sendable>(
        after find: @escaping @Sendable (any DatabaseReader) throws -> Found,
        _ body: @escaping @Sendable (any DatabaseTransaction, Found) throws -> Value
    ) async throws -> Value {
        guard let readers else { return try await writer.perform { try body($0, find($0)) } }
        let origin = CallOrigin.current
        return try await withCheckedThrowingContinuation { continuation in
            readers.perform({ try find($0) }) { [writer] found in
                switch found {
                case .success(let found):
                    CallOrigin.$current.withValue(origin) {
                        writer.perform({ try body($0, found) }) { continuation.resume(with: $0) }
                    }
                case .failure(let error): continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Purges the write-ahead log: moves it into the database, which overwrites deleted content, and truncates it. False if others than this
    /// server's questions read for too long.
    package func purgeWriteAheadLog() async throws -> Bool {
        try await relief.purge { try await writer.emptyLog() }
    }

    package var writeProblem: String? { health.writeProblem }

    package var waitingWrites: Int { writer.waiting }

    package var longestWriteWait: Duration { writer.longestWait }

    /// One server has a file.
    package var isLeader: Bool { true }

    package var writeStall: Duration { writer.stall }

    package var foreignChanges: Int { writer.foreignChanges.load(ordering: .relaxed) }

    package func installationKey(random: RandomSource) async throws -> InstallationKey {
        if let key = try await read({ try ($0 as? SQLTransaction)?.installationKey() }) { return key }
        let made = try await writer.perform { try $0.makeInstallationKey(random: random) }
        guard let made else { throw Failure.unavailable("The key of the installation could not be created.") }
        return made
    }

    package func migrations() async throws -> [Migrator.Step] {
        try await writer.perform { transaction in
            try Migrator(connection: transaction.connection, clock: .system, translate: SQLiteDialect.translate).steps()
        }
    }

    package func hurryQuestions() { relief.hurry() }

    package func shutdown() async {
        relief.end()
        await readers?.shutdown()
        await analysts?.shutdown()
        await writer.shutdown()
    }

    /// Opens the writer's connection, with the lease of a server if the options name one.
    static func connect(
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
        if tables.contains(CopyProgress.table), !options.isCopyTarget { throw Failure.unfinishedCopy(path) }
        // Before the write-ahead log is created, which gets the permissions of the database.
        if let open = DatabaseFiles(path: path)?.closeToOthers(), !open.isEmpty, options.server != nil {
            logger.warning(
                "Files of the database were open to every user of this machine. Their permissions were changed.",
                metadata: ["files": "\(open.joined(separator: ", "))"])
        }
        try connection.enableWriteAheadLog()
        try connection.execute(script: options.writerPragmas)
        let lease =
            try path == DatabasePath.memory
            ? nil
            : options.server.map { holder in
                try ServerLease(path: path, holder: holder, patience: options.leasePatience) {
                    logger.notice("Waiting for the server that has the database to end.", metadata: ["database": "\(path)"])
                }
            }
        connection.takeOverCheckpoints(try CheckpointGate(path: path))
        let mayBeServed = path != DatabasePath.memory && lease == nil
        try Migrator(connection: connection, clock: clock, translate: SQLiteDialect.translate)
            .migrate(
                isNew: isNew, isServed: mayBeServed && ServerLease.isHeld(path: path),
                transaction: connection.withImmediateTransaction)
        return (connection, lease)
    }
}
