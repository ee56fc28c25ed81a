import LindenKernel

/// The database, as apps, links, clicks and sessions see it.
///
/// Calls are asynchronous; a closure gets a reader or a transaction and works on it synchronously.
///
/// Closures must be correct under READ COMMITTED and may run more than once, so they must have no side effects outside the transaction.
/// Slow work (parsing, hashing) happens before. A `write` returns only after its changes are durable; if the closure throws, the
/// transaction is rolled back.
///
/// Fails with `unavailable` when too many calls are queued or the database cannot be written.
package protocol Storage: ChangeCounter {
    func read<Value: Sendable>(_ body: @escaping @Sendable (any Reader) throws -> Value) async throws -> Value
    func write<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws -> Value

    /// Variant of `write` with a callback: `deliver` is called once with the result, on an arbitrary thread that it must not block.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void)

    /// Variant of `write` whose closure gets what a reader found first, so that other writes do not wait for long look-ups. It must check
    /// whatever may have changed in between.
    func write<Found: Sendable, Value: Sendable>(
        after find: @escaping @Sendable (any Reader) throws -> Found,
        _ body: @escaping @Sendable (any Transaction, Found) throws -> Value
    ) async throws -> Value

    /// Removes all traces of deleted and overwritten data from the database's files, such as the write-ahead log. Returns false if readers
    /// prevented it.
    func purgeWriteAheadLog() async throws -> Bool
}

/// A consistent view of the data.
package protocol Reader: AppReader, DomainReader, LinkReader, ObjectReader, ClickReader, SessionReader, DeviceReader,
    IdentityReader, TokenExchangeReader, InstallationReader, RequestReader, BrowserReader, RouteReader, TextMessageReader,
    AddressReader, AddressKeyReader, EventReader, EventNameReader, RateReader, ObjectStatisticsReader, RefusedURLReader,
    DeviceProfileReader, EvidenceReader, SnapshotReader, AppContextReader
{}

/// A view of the data at one time.
package protocol SnapshotReader {
    /// The time of the snapshot.
    var now: Timestamp { get }
}

/// A read-write transaction. All rows that it writes have the same time.
package protocol Transaction: Reader, IDSource, LedgerAccess, AppRepository, DomainRepository, LinkRepository, ObjectRepository,
    ClickRepository, SessionRepository, DeviceRepository, IdentityRepository, InstallationRepository, EventRepository,
    RequestRepository, TokenExchangeRepository, BrowserRepository, RouteRepository, TextMessageRepository, AddressRepository,
    AddressKeyRepository, RateRepository, ObjectStatisticsRepository, RefusedURLRepository, DeviceProfileRepository,
    LinkTransaction,
    EventTransaction, SessionTransaction
{}

/// The source of the ids of a transaction's rows.
package protocol IDSource {
    /// Returns a new row id. Taken inside the transaction, so that ids are in the order of commits.
    func newID<Entity>(_ entity: Entity.Type) throws -> Identifier<Entity>
}

extension IDSource {
    package func newID<Entity>() throws -> Identifier<Entity> { try newID(Entity.self) }
}
