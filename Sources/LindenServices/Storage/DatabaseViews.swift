import Linden
import LindenKernel
import LindenLedger
import LindenReporting

/// The database as each module sees it.
extension Database {
    package var domain: any Storage { DomainView(database: self) }
    package var ledger: any LedgerStorage { LedgerView(database: self) }
    package var reporting: any ReportingStorage { ReportingView(database: self) }
}

private struct DomainView: Storage {
    let database: any Database
    func read<Value: Sendable>(_ body: @escaping @Sendable (any Reader) throws -> Value) async throws -> Value {
        try await database.read { try body($0) }
    }
    func write<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws -> Value {
        try await database.write { try body($0) }
    }
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        database.write({ try body($0) }, then: deliver)
    }
    func write<Found: Sendable, Value: Sendable>(
        after find: @escaping @Sendable (any Reader) throws -> Found,
        _ body: @escaping @Sendable (any Transaction, Found) throws -> Value
    ) async throws -> Value {
        try await database.write(after: { try find($0) }) { try body($0, $1) }
    }
    func purgeWriteAheadLog() async throws -> Bool { try await database.purgeWriteAheadLog() }
    var foreignChanges: Int { database.foreignChanges }
}

private struct LedgerView: LedgerStorage {
    let database: any Database
    func read<Value: Sendable>(_ body: @escaping @Sendable (any LedgerReader) throws -> Value) async throws -> Value {
        try await database.read { try body($0) }
    }
    func write<Value: Sendable>(_ body: @escaping @Sendable (any LedgerTransaction) throws -> Value) async throws -> Value {
        try await database.write { try body($0) }
    }
}

private struct ReportingView: ReportingStorage {
    let database: any Database
    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReportingReader) throws -> Value) async throws -> Value {
        try await database.read { try body($0) }
    }
    func write<Value: Sendable>(_ body: @escaping @Sendable (any ReportingTransaction) throws -> Value) async throws -> Value {
        try await database.write { try body($0) }
    }
    func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any ReportingReader) throws -> Value
    ) async throws -> Value {
        try await database.analyze(scope) { try body($0) }
    }
}
