import Synchronization

/// Turns addresses into what is kept of them, and keeps the keys for that.
///
/// Keys are in the database, so that all processes hash alike, and in memory, so that a click needs no statement for its own. A key is
/// made by whoever hashes the first address of a day, and lives until the longest window is over of all clicks it was used for, at least
/// for the usual one.
package struct AddressBook: Sendable {
    package let privacy: AddressPrivacy
    private let storage: any Storage
    private let clock: WallClock
    private let random: RandomSource
    /// Nil before they were read.
    private let cache: Cache<[AddressKey]?>
    private let log = Log()

    package init(storage: any Storage, privacy: AddressPrivacy, clock: WallClock, random: RandomSource) {
        self.storage = storage
        self.privacy = privacy
        self.clock = clock
        self.random = random
        cache = Cache(empty: nil, storage: storage)
    }

    /// An address as it is written down now. It can be found again for a time, at most for ``AddressPrivacy/limited(_:)`` of it.
    ///
    /// To be called before the transaction that writes it: the day's first call makes the day's key.
    package func written(_ address: ClientAddress, for time: Duration = .zero) async throws -> String {
        switch privacy.form {
        case .raw: address.matchKey
        case .none: ""
        case .keyed: address.isUnknown ? "" : try await key(neededFor: time).hash(address)
        }
    }

    /// The same, if memory has the key; nil if it does not.
    func known(_ address: ClientAddress, for time: Duration) -> String? {
        guard privacy.form == .keyed, !address.isUnknown else { return privacy.form == .raw ? address.matchKey : "" }
        return cache.value({ copy $0 }).flatMap { $0.first(where: isGood(for: time)) }?.hash(address)
    }

    /// An address as it is written down now and in every form in which it may still be found.
    package func kept(_ address: ClientAddress) async throws -> KeptAddress {
        guard privacy.form == .keyed, !address.isUnknown else {
            let written = try await written(address)
            return KeptAddress(written.isEmpty ? [] : [written], isAllowed: privacy.form != .none)
        }
        let now = clock.now()
        let current = try await key(neededFor: .zero)
        let earlier = try await keys().filter { $0.day != current.day && isNeeded($0, at: now) }
        return KeptAddress(([current] + earlier).map { $0.hash(address) })
    }

    /// An address hashed under today's key, whatever the form in which addresses are written down.
    func hash(_ address: ClientAddress) async throws -> String { try await key(neededFor: .zero).hash(address) }

    /// An address hashed under each key that is kept.
    func hashes(of address: ClientAddress) async throws -> [String] { try await keys().map { $0.hash(address) } }

    /// Deletes the keys that no window rests on any more, and leaves nothing of them in the files of the database; if somebody
    /// is reading there, the next call tries again. To be called about once a second.
    package func deleteUnneededKeys() async throws {
        let (now, oldest) = (clock.now(), oldestDay(at: clock.now()))
        if try await keys().contains(where: { !isNeeded($0, at: now) }) {
            try await storage.write { try $0.deleteAddressKeys(notNeededAt: now, before: oldest) }
            cache.clear()
            log.holdsKeys.store(true, ordering: .relaxed)
        }
        guard log.holdsKeys.load(ordering: .relaxed), try await storage.scrub() else { return }
        log.holdsKeys.store(false, ordering: .relaxed)
    }

    private func key(neededFor time: Duration) async throws -> AddressKey {
        if let key = try await keys().first(where: isGood(for: time)) { return key }
        let day = clock.now().day
        let new = AddressKey(day: day, neededUntil: neededUntil(time, day: day), random: random)
        let key = try await storage.write { try $0.keep(new) }
        cache.clear()
        return key
    }

    /// Whether a key is today's, and is kept for long enough.
    private func isGood(for time: Duration) -> (AddressKey) -> Bool {
        let day = clock.now().day
        let needed = neededUntil(time, day: day)
        return { $0.day == day && $0.neededUntil >= needed }
    }

    private func neededUntil(_ time: Duration, day: Int64) -> Timestamp {
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
        key.neededUntil > time && key.day >= oldestDay(at: time)
    }

    /// The oldest day whose key may be kept, whatever it was made for: the setting may have been another then.
    private func oldestDay(at time: Timestamp) -> Int64 { time.day - Int64(privacy.keyDays) }

    /// After the day of a key: for the usual window, and for whatever else is looked up by address within it.
    private static let shortestLife: Duration = .seconds(Link.standardMatchSeconds)

    /// The database's log of writes.
    private final class Log: Sendable {
        /// Whether keys may be in it that were deleted.
        let holdsKeys = Atomic(false)
    }
}
