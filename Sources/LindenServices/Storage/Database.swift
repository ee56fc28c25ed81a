import Linden
import LindenKernel
import LindenLedger
import LindenReporting

/// The whole database, which a driver implements. Modules see a part of it, see ``Database/domain``.
///
/// Calls are asynchronous; a closure gets a reader or a transaction and works on it synchronously.
///
/// Closures must be correct under READ COMMITTED and may run more than once, so they must have no side effects outside the transaction.
/// Slow work (parsing, hashing) happens before. A `write` returns only after its changes are durable; if the closure throws, the
/// transaction is rolled back.
///
/// Fails with `unavailable` when too many calls are queued or the database cannot be written.
package protocol Database: ChangeCounter {
    func read<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseReader) throws -> Value) async throws -> Value
    func write<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value) async throws -> Value

    /// Variant of `read` for questions that may read many rows. Short reads do not wait for them, and the questions about one app are answered
    /// one after the other.
    func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any DatabaseReader) throws -> Value
    ) async throws -> Value

    /// Variant of `write` with a callback: `deliver` is called once with the result, on an arbitrary thread that it must not block.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void)

    /// Variant of `write` whose closure gets what a reader found first, so that other writes do not wait for long look-ups. It must check
    /// whatever may have changed in between.
    func write<Found: Sendable, Value: Sendable>(
        after find: @escaping @Sendable (any DatabaseReader) throws -> Found,
        _ body: @escaping @Sendable (any DatabaseTransaction, Found) throws -> Value
    ) async throws -> Value

    /// Removes all traces of deleted and overwritten data from the database's files, such as the write-ahead log. Returns false if readers
    /// prevented it.
    func purgeWriteAheadLog() async throws -> Bool

    /// The error of the last write if the disk or the file caused it; nil after a successful one.
    var writeProblem: String? { get }
    /// How long writes have been waiting since the last successful one; zero if none waits, or the last one succeeded.
    var writeStall: Duration { get }
}

extension Database {
    package func write<Found: Sendable, Value: Sendable>(
        after find: @escaping @Sendable (any DatabaseReader) throws -> Found,
        _ body: @escaping @Sendable (any DatabaseTransaction, Found) throws -> Value
    ) async throws -> Value {
        let found = try await read(find)
        return try await write { try body($0, found) }
    }
}

/// A consistent view of all data.
package protocol DatabaseReader: LedgerReader, ReportingReader, TokenReader, DashboardReader, ProxyFaultReader,
    IdentitySummaryReader, IdentityTimelineReader, PersonalRowReader, PersonalCreditReader, CreditAuditReader, RetentionReader,
    AuditReader, ClaimAuditReader, DayAuditReader, RepairReader, LinkTemplateReader
{
    /// Checks that the database's files are well formed and that indexes agree with their tables.
    ///
    /// - Parameter limit: the time limit; nil for none.
    /// - Returns: the damage found, a sentence each; nil if the time limit was reached first.
    func damage(within limit: Duration?) throws -> [String]?
    /// Returns the rows whose foreign keys name no row, a sentence each.
    func brokenReferences(limit: Int) throws -> [String]
}

/// A read-write transaction on all data.
package protocol DatabaseTransaction: DatabaseReader, LedgerTransaction, ReportingTransaction, TokenRepository,
    DashboardRepository, ProxyFaultRepository, PersonalRowRepository, PersonalCreditRepository, RetentionRepository,
    AuditRepository, RepairRepository, LinkTemplateRepository
{}
