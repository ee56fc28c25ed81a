import LindenKernel
import Synchronization

/// Pseudonymizes client addresses (HMAC-SHA256, one key per UTC day), and manages the keys.
///
/// Keys are stored in the database, so that all processes hash alike, and cached in memory, so that a click needs no statement for its own.
/// The first address of a day creates the day's key, unless maintenance did so shortly before that day. After its day a key lives for the
/// longest match window that used it: at least the standard window, at most `privacy.key_days`, which overrides both.
package struct AddressPseudonymizer: Sendable {
    package let privacy: AddressPrivacy
    private let storage: any Storage
    private let clock: WallClock
    private let random: RandomSource
    /// Nil until the keys are read.
    private let cache: Cache<[AddressKey]?>
    private let log = Log()
    private let siteKey = UInt64.random(in: .min ... .max)

    package init(storage: any Storage, privacy: AddressPrivacy, clock: WallClock, random: RandomSource) {
        self.storage = storage
        self.privacy = privacy
        self.clock = clock
        self.random = random
        cache = Cache(empty: nil, storage: storage)
    }

    /// Returns the stored form of an address. It can be matched for `time`, up to the limit of ``AddressPrivacy/limited(_:)``.
    ///
    /// Must be called before the transaction that stores it: the first call of a day writes the day's key.
    package func written(_ address: ClientAddress, for time: Duration = .zero) async throws -> String {
        switch privacy.form {
        case .raw: address.matchKey
        case .none: ""
        case .keyed: address.isUnknown ? "" : try await key(neededFor: time).hash(address)
        }
    }

    /// Synchronous variant of ``written(_:for:)``. Returns nil if the key is not cached.
    func cachedForm(_ address: ClientAddress, for time: Duration) -> String? {
        guard privacy.form == .keyed, !address.isUnknown else { return privacy.form == .raw ? address.matchKey : "" }
        return cache.value({ copy $0 }).flatMap { $0.first(where: isGood(for: time)) }?.hash(address)
    }

    /// Returns the current stored form of an address and all earlier forms in which it may still be found.
    package func kept(_ address: ClientAddress) async throws -> StoredAddress {
        guard privacy.form == .keyed, !address.isUnknown else {
            let written = try await written(address)
            return StoredAddress(written.isEmpty ? [] : [written], isAllowed: privacy.form != .none)
        }
        let now = clock.now()
        let current = try await key(neededFor: .zero)
        let earlier = try await keys().filter { $0.day != current.day && isNeeded($0, at: now) }
        return StoredAddress(([current] + earlier).map { $0.hash(address) })
    }

    /// Returns 16 bits of a hash of an address's site (``ClientAddress/siteNumber``) and the day, by which limits give each site its share.
    /// Nil if addresses are not stored. The key is only in memory: after a restart, a site has a new share.
    package func site(of address: ClientAddress) -> Int64? {
        guard privacy.form != .none, !address.isUnknown else { return nil }
        var hasher = Hasher()
        hasher.combine(siteKey)
        hasher.combine(address.siteNumber)
        hasher.combine(clock.now().day)
        return Int64(hasher.finalize() & 0xFFFF)
    }

    /// Returns the hash of an address under each stored key.
    func hashes(of address: ClientAddress) async throws -> [String] { try await keys().map { $0.hash(address) } }

    /// Deletes expired keys, and removes all traces of them from the database's files; while a reader prevents that, the next call tries
    /// again. Must be called about once a second.
    package func deleteUnneededKeys() async throws {
        let (now, oldest) = (clock.now(), oldestDay(at: clock.now()))
        if try await keys().contains(where: { !isNeeded($0, at: now) }) {
            try await storage.write { try $0.deleteAddressKeys(notNeededAt: now, before: oldest) }
            cache.clear()
            log.holdsKeys.store(true, ordering: .relaxed)
        }
        guard log.holdsKeys.load(ordering: .relaxed), try await storage.purgeWriteAheadLog() else { return }
        log.holdsKeys.store(false, ordering: .relaxed)
    }

    /// Creates tomorrow's key shortly before midnight, with the lifetime of today's. Otherwise the first visits of the day, all at once,
    /// would each wait for a transaction.
    package func makeNextKey() async throws {
        let (now, keys) = (clock.now(), try await keys())
        let midnight = AddressKey.end(ofDay: now.day)
        guard privacy.form == .keyed, now + Self.nextKeyTime >= midnight, let today = keys.first(where: { $0.day == now.day }),
            !keys.contains(where: { $0.day > now.day })
        else { return }
        let new = AddressKey(day: now.day + 1, expiresAt: today.expiresAt + .seconds(86_400), random: random)
        _ = try await storage.write { try $0.keep(new) }
        cache.clear()
    }

    /// How long before midnight the key of the next day is made.
    private static let nextKeyTime: Duration = .seconds(300)

    /// Returns today's key, which lives long enough for an address to be matched for `time`. Creates it if there is none.
    func key(neededFor time: Duration) async throws -> AddressKey {
        if let key = try await keys().first(where: isGood(for: time)) { return key }
        let day = clock.now().day
        let new = AddressKey(day: day, expiresAt: expiresAt(time, day: day), random: random)
        let key = try await storage.write { try $0.keep(new) }
        cache.clear()
        return key
    }

    /// Returns a predicate: whether a key is today's and lives long enough.
    private func isGood(for time: Duration) -> (AddressKey) -> Bool {
        let day = clock.now().day
        let needed = expiresAt(time, day: day)
        return { $0.day == day && $0.expiresAt >= needed }
    }

    private func expiresAt(_ time: Duration, day: Int64) -> Timestamp {
        AddressKey.end(ofDay: day) + min(max(time, Self.shortestLife), privacy.longestWindow)
    }

    private func keys() async throws -> [AddressKey] {
        if let keys = cache.value({ copy $0 }) { return keys }
        let ticket = cache.ticket
        let keys = try await storage.read { try $0.addressKeys() }
        cache.insert(ticket) { $0 = keys }
        return keys
    }

    private func isNeeded(_ key: AddressKey, at time: Timestamp) -> Bool {
        key.expiresAt > time && key.day >= oldestDay(at: time)
    }

    /// The oldest day whose key may be kept under the present setting, even if the key was created under a longer one.
    private func oldestDay(at time: Timestamp) -> Int64 { time.day - Int64(privacy.keyDays) }

    /// The minimum lifetime after a key's day, unless `privacy.key_days` is less: the standard match window, which also covers other
    /// look-ups by address.
    private static let shortestLife: Duration = .seconds(Link.standardMatchSeconds)

    /// The state of the database's write-ahead log.
    private final class Log: Sendable {
        /// Whether the log may still contain deleted keys.
        let holdsKeys = Atomic(false)
    }
}
