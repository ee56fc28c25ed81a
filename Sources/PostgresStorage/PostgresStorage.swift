import Foundation
import Linden
import LindenKernel
import LindenServices
import Logging
import SQLStorage

/// Linden's storage in a database of PostgreSQL: one writer thread, several reader threads, each with its own connection. Several servers may
/// have a database at the same time.
///
/// Group commit: waiting writes are committed together. No write waits for a batch to fill; a batch is whatever was queued during the
/// previous commit. Pending clicks are written to their table with their click, and never only in memory.
package final class PostgresStorage: SQLDatabase {
    private let writer: PostgresWriter
    private let readers: PostgresReaders
    /// The readers of ``analyze(_:_:)``.
    private let analysts: PostgresReaders
    /// By app, so that the live and test sides of one app do not take all readers.
    private let questions = Turns<App.ID>(
        mostWaiting: 64, refusal: "Too many queries of this app are waiting; please try again.")
    package let health: StorageHealth
    /// Holds the leader's lock where the writer's session is shared; nil where the writer has it.
    private let leader: PooledLeader?

    /// Opens a database and brings its schema up to date.
    ///
    /// - Throws: `notFound` if it has no tables and none are to be created, otherwise `unusable` with one sentence for the operator.
    package init(
        address: PostgresAddress, options: PostgresOptions = PostgresOptions(), clock: WallClock = .system,
        logger: Logger = Logger(label: "linden")
    ) throws {
        do {
            try Self.prepare(address, options, clock, logger)
            let connection = try PostgresConnection(PostgresSession(address, for: .writes, options))
            let state = SQLState(owner: UUID().uuidString)
            let health = StorageHealth(logger: logger)
            self.health = health
            readers = try PostgresReaders(
                options.readers, PostgresSession(address, for: .reads, options), queueLimit: options.queueLimit, state: state,
                clock: clock, health: health, refused: options.metrics.refusedReads)
            analysts = try PostgresReaders(
                options.analysts, PostgresSession(address, for: .questions, options), queueLimit: options.queueLimit, state: state,
                clock: clock, health: health, timeLimit: options.questionLimit, refused: options.metrics.refusedQuestions)
            leader =
                options.isServer && !options.prepares
                ? try PooledLeader(
                    PostgresSession(address, for: .leads, options),
                    WriterClock(tolerance: options.clockTolerance, clock: clock, health: health)) : nil
            writer = PostgresWriter(connection: connection, options: options, state: state, clock: clock, health: health)
            if options.isServer { keepStatistics(PostgresSession(address, for: .leads, options)) }
        } catch let error as PostgresError {
            throw Failure.unusable("The database \(address.shown) \(error.openingProblem).")
        }
    }

    /// Lets the leader look at the planner's statistics as long as this storage exists. One that fails, as by the time limit of a statement,
    /// is tried again after a pause that doubles.
    private func keepStatistics(_ session: PostgresSession) {
        Task.detached { [weak self] in
            var pause = PostgresStatistics.interval
            while (try? await Task.sleep(for: pause)) != nil, let self {
                guard isLeader, let tables = try? await analysts.perform({ try PostgresStatistics.outdatedTables($0.connection) })
                else { continue }
                do {
                    try await PostgresStatistics.analyze(tables, session)
                    pause = PostgresStatistics.interval
                } catch {
                    pause = min(pause * 2, PostgresStatistics.longestPause)
                }
            }
        }
    }

    /// Brings the schema of a database up to date, without opening the storage.
    package static func migrate(
        _ address: PostgresAddress, clock: WallClock = .system, logger: Logger = Logger(label: "linden")
    ) throws {
        do {
            try prepare(address, PostgresOptions(creates: true), clock, logger)
        } catch let error as PostgresError {
            throw Failure.unusable("The database \(address.shown) \(error.openingProblem).")
        }
    }

    /// Prepares a database on a connection of its own, without the time limits of a server: a migration may take longer.
    private static func prepare(
        _ address: PostgresAddress, _ options: PostgresOptions, _ clock: WallClock, _ logger: Logger
    ) throws {
        guard options.prepares || !address.hasOptions else {
            throw Failure.unusable(
                "The URL of the database \(address.shown) has options, which a pooler does not pass on. Set them for the user, as by "
                    + "ALTER ROLE linden SET search_path = name, or let storage.prepared be auto.")
        }
        var unlimited = options
        unlimited.isServer = false
        let connection = try PostgresConnection(PostgresSession(address, for: .writes, unlimited))
        defer { connection.close() }
        try PostgresSchema.prepare(connection, address, options, clock: clock, logger: logger)
    }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseReader) throws -> Value) async throws -> Value {
        try await readers.perform { try body($0) }
    }

    package func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any DatabaseReader) throws -> Value
    ) async throws -> Value {
        try await questions.run(scope.app) { [analysts] in try await analysts.perform { try body($0) } }
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

    /// PostgreSQL's files are its server's: deleted rows leave them by vacuum, and its log when that is recycled.
    package func purgeWriteAheadLog() async throws -> Bool { true }

    package var writeProblem: String? { health.writeProblem }

    package var waitingWrites: Int { writer.waiting }

    package var longestWriteWait: Duration { writer.longestWait }

    package var writeStall: Duration { writer.stall }

    package var foreignChanges: Int { writer.foreignChanges }

    package var isLeader: Bool { leader?.isLeader ?? writer.isLeader }

    package func installationKey(random: RandomSource) async throws -> InstallationKey {
        if let key = try await readers.perform({ try $0.installationKey() }) { return key }
        let made = try await writer.perform { try $0.makeInstallationKey(random: random) }
        guard let made else { throw Failure.unavailable("The key of the installation could not be created.") }
        return made
    }

    package func migrations() async throws -> [Migrator.Step] {
        try await writer.perform { transaction in
            try Migrator(connection: transaction.connection, clock: .system, translate: { $0 }).steps()
        }
    }

    package func shutdown() async {
        await readers.shutdown()
        await analysts.shutdown()
        await writer.shutdown()
        await leader?.shutdown()
    }
}
