/// The database interface. Calls are asynchronous; a closure gets a reader or a transaction and works on it synchronously.
///
/// Closures must be correct under READ COMMITTED and may run more than once, so they must have no side effects outside the transaction.
/// Slow work (parsing, hashing) happens before. A `write` returns only after its changes are durable; if the closure throws, the
/// transaction is rolled back.
///
/// Fails with `unavailable` when too many calls are queued or the database cannot be written.
package protocol Storage: Sendable {
    func read<Value: Sendable>(_ body: @escaping @Sendable (any Reader) throws -> Value) async throws -> Value
    func write<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws -> Value

    /// Variant of `read` for questions that may read many rows. Short reads do not wait for them, and the questions about one app are answered
    /// one after the other.
    func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any Reader) throws -> Value
    ) async throws -> Value

    /// Variant of `write` with a callback: `deliver` is called once with the result, on an arbitrary thread that it must not block.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void)

    /// Removes all traces of deleted and overwritten data from the database's files, such as the write-ahead log. Returns false if readers
    /// prevented it.
    func purgeWriteAheadLog() async throws -> Bool

    /// The error of the last write if the disk or the file caused it; nil after a successful one.
    var writeProblem: String? { get }

    /// The number of observed changes by other processes. Caches compare it; it increases within a second of a change.
    var foreignChanges: Int { get }
}

/// A consistent view of the data.
package protocol Reader: AppReader, DomainReader, LinkReader, ObjectReader, ClickReader, SessionReader, DeviceReader,
    IdentityReader,
    TokenReader, TokenExchangeReader, LinkStatisticsReader, InstallationReader, RequestReader, BrowserReader, RouteReader,
    TextMessageReader, AddressReader, AddressKeyReader, ProxyFaultReader, PersonalRowReader, PersonalCreditReader, ReplayReader,
    CreditReader,
    RewardReader, ReferralReader, ReferralCodeReader, CreditAuditReader, SuspicionReader, HeldRewardReader, ExportReader,
    ExportJobReader, RetentionReader, SubjectRequestReader, EventReader, EventNameReader, RateReader, ObjectStatisticsReader,
    RefusedURLReader, RewardSourceReader, ActivityReader, DeviceJourneyReader, RollupReader, DeviceCountReader, ReportJobReader,
    DeviceProfileReader
{
    /// The time of the snapshot.
    var now: Timestamp { get }

    /// Checks that the database's files are well formed and that indexes agree with their tables.
    ///
    /// - Parameter limit: the time limit; nil for none.
    /// - Returns: the damage found, a sentence each; nil if the time limit was reached first.
    func damage(within limit: Duration?) throws -> [String]?
}

/// A read-write transaction. All rows that it writes have the same time.
package protocol Transaction: Reader, AppRepository, DomainRepository, LinkRepository, ObjectRepository, ClickRepository,
    SessionRepository, DeviceRepository, IdentityRepository, TokenRepository, LinkStatisticsRepository, InstallationRepository,
    EventRepository, RequestRepository, TokenExchangeRepository, BrowserRepository, RouteRepository, TextMessageRepository,
    AddressRepository, AddressKeyRepository, ProxyFaultRepository, PersonalRowRepository, PersonalCreditRepository,
    ReplayRepository, CreditRepository,
    RewardRepository, ReferralRepository, ReferralCodeRepository, SuspicionRepository, HeldRewardRepository, ExportJobRepository,
    RetentionRepository, SubjectRequestRepository, RateRepository, ObjectStatisticsRepository,
    RefusedURLRepository, RewardSourceRepository, RollupRepository, DeviceCountRepository, ReportJobRepository,
    DeviceProfileRepository
{
    /// Returns a new row id. Taken inside the transaction, so that ids are in the order of commits.
    func newID<Entity>(_ entity: Entity.Type) throws -> Identifier<Entity>
}

extension Transaction {
    package func newID<Entity>() throws -> Identifier<Entity> { try newID(Entity.self) }
}
