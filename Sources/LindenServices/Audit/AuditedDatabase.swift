import Linden
import LindenKernel

/// A database that records what operators change: the one place where entries of the audit log come from.
///
/// A write within an ``OperatorCall`` whose actor is known runs with ``AuditRepository/recordChanges(by:salting:_:)``; all other writes,
/// such as those of visits and SDKs, are passed on.
struct AuditedDatabase: Database {
    private let database: any Database
    private let random: RandomSource

    init(_ database: any Database, random: RandomSource = .system) {
        self.database = database
        self.random = random
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value) async throws -> Value {
        guard let author = OperatorCall.current?.author else { return try await database.write(body) }
        // Made before the transaction, which may run more than once.
        let seed = random.alphanumerics(32)
        return try await database.write { transaction in
            try transaction.recordChanges(by: author, salting: seed) { try body(transaction) }
        }
    }

    func write<Found: Sendable, Value: Sendable>(
        after find: @escaping @Sendable (any DatabaseReader) throws -> Found,
        _ body: @escaping @Sendable (any DatabaseTransaction, Found) throws -> Value
    ) async throws -> Value {
        guard let author = OperatorCall.current?.author else { return try await database.write(after: find, body) }
        let seed = random.alphanumerics(32)
        return try await database.write(after: find) { transaction, found in
            try transaction.recordChanges(by: author, salting: seed) { try body(transaction, found) }
        }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseReader) throws -> Value) async throws -> Value {
        try await database.read(body)
    }

    func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any DatabaseReader) throws -> Value
    ) async throws -> Value {
        try await database.analyze(scope, body)
    }

    /// Passed on: only visits are recorded by this variant.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        database.write(body, then: deliver)
    }

    func purgeWriteAheadLog() async throws -> Bool { try await database.purgeWriteAheadLog() }

    var writeProblem: String? { database.writeProblem }

    var writeStall: Duration { database.writeStall }

    var foreignChanges: Int { database.foreignChanges }
}
