import Linden
import LindenKernel

/// The database, as queries and exports see it. The rules of `Storage` apply.
package protocol ReportingStorage: Sendable {
    func read<Value: Sendable>(_ body: @escaping @Sendable (any ReportingReader) throws -> Value) async throws -> Value
    func write<Value: Sendable>(_ body: @escaping @Sendable (any ReportingTransaction) throws -> Value) async throws -> Value

    /// Variant of `read` for questions that may read many rows. Short reads do not wait for them, and the questions about one app are answered
    /// one after the other.
    func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any ReportingReader) throws -> Value
    ) async throws -> Value
}

/// A consistent view of the data, with queries and exports. Each routine takes the smallest of these protocols that it needs.
package protocol ReportingReader: Reader, CountingReader, LinkListReader, LinkStatisticsReader, ReplayDecisionReader,
    SessionListReader, ExportJobReader, SubjectRequestReader, CohortReader, DeviceCountingReader, ReportJobReader
{}

/// A read-write transaction, with queries and exports.
package protocol ReportingTransaction: Transaction, ReportingReader, LinkStatisticsRepository, ReplayTransaction,
    ExportJobRepository, SubjectRequestRepository, RollupRepository, DeviceCountRepository, ReportJobRepository
{}
