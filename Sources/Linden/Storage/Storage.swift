/// What keeps Linden's data. Asynchronous at the door, synchronous inside: a closure is given a reader or a transaction and works
/// on it without waiting.
///
/// Closures must be right under READ COMMITTED and may run more than once, so they have no effect but on the transaction. What is
/// slow (parsing, hashing) happens before. A `write` returns only after its changes are durable; if the closure throws, none of
/// them are kept.
///
/// Fails with `unavailable` when too much is waiting or the database cannot be written.
package protocol Storage: Sendable {
    func read<Value: Sendable>(_ body: @escaping @Sendable (any Reader) throws -> Value) async throws -> Value
    func write<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws -> Value

    /// The same without waiting: `deliver` is called with the outcome, once, on whatever thread it comes about on, and must not keep
    /// that long.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void)

    /// Sees to it that the files of the database hold nothing any more of what was deleted or overwritten, such as a log of earlier writes.
    /// False if somebody was reading there all the time.
    func scrub() async throws -> Bool

    /// Why the last write failed, where the disk or the file was the cause; nil after one that succeeded.
    var writeProblem: String? { get }

    /// How often another process was seen to change the data. Caches compare it; it rises within a second of the change.
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
    /// When the view was taken.
    var now: Timestamp { get }

    /// Reads what is stored and checks that the files are well formed and that indexes agree with their tables.
    ///
    /// - Parameter limit: how long it may take; nil for as long as it takes.
    /// - Returns: what is damaged, a sentence each; nil if the time ended before that was known.
    func damage(within limit: Duration?) throws -> [String]?
}

/// A view of the data that can change it. All that one transaction writes carries the same time.
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
    /// A new row id. Taken inside the transaction, so that ids are in the order of commits.
    func newID<Entity>(_ entity: Entity.Type) throws -> Identifier<Entity>
}

extension Transaction {
    package func newID<Entity>() throws -> Identifier<Entity> { try newID(Entity.self) }
}
