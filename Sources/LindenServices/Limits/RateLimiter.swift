import Foundation
import Linden
import LindenKernel
import Synchronization

/// An in-memory rate limiter of requests by key and address together, by address and by key.
///
/// A branch key is public: every copy of the app contains it. The bucket of key and address comes first, so that one address uses up its
/// own share and not the app's. Calls with a valid secret have their own bucket, which other clients cannot exhaust.
///
/// A /24 of IPv4 or a /48 of IPv6, all of whose addresses one person may have, has ``ratePerSite`` times the rate of an address, and uses at
/// most half of a key's rate, also in bulk. When several have used up that rate, each network still has its share of the key's reserve, see
/// ``RateLimits/Allowed/keyReserve``: an app's users in other networks hardly notice.
///
/// Memory is bounded: 320,000 buckets by address see ``RateBucketTable``, and a few for each app and access token that is in use.
package final class RateLimiter: Sendable {
    private final class Shard: Sendable {
        let buckets: Mutex<RateBucketTable<Client>>

        init(capacity: Int) {
            buckets = Mutex(RateBucketTable(capacity: capacity))
        }
    }

    /// The rate of a /24 of IPv4 or a /48 of IPv6, as a multiple of an address's.
    private static let ratePerSite: Int64 = 8

    private static let shardBits = 4
    /// The most buckets of clients in memory, unless another number is given.
    package static let maximumBuckets = 320_000

    package let limits: RateLimits
    private let refusals: RefusalMonitor?
    private let shards: [Shard]
    private let ofApps = Mutex(AppRateBuckets())
    private let now: @Sendable () -> Int64

    /// - Parameters:
    ///   - buckets: the most buckets of clients in memory.
    ///   - now: a monotonic clock in nanoseconds.
    package init(
        limits: RateLimits, refusals: RefusalMonitor? = nil, buckets: Int = maximumBuckets,
        now: @escaping @Sendable () -> Int64 = RateLimiter.uptime
    ) {
        self.limits = limits
        self.refusals = refusals
        self.now = now
        shards = (0..<(1 << Self.shardBits)).map { _ in Shard(capacity: buckets >> Self.shardBits) }
    }

    /// Counts a request, or fails with `rateLimited` and the time after which a retry can succeed. A request that one bucket rejects takes
    /// nothing from the buckets after it.
    ///
    /// - Parameters:
    ///   - scope: the app of the request's key; nil for a request without a key.
    ///   - hasSecret: whether the request has the key's secret.
    ///   - amount: requests, or bytes for ``LimitedCall/store``.
    package func admit(
        _ call: LimitedCall, of scope: Scope?, from address: ClientAddress, hasSecret: Bool = false, amount: Int = 1
    ) throws(Failure) {
        guard limits.isOn, !limits.isExempt(address) else { return }
        let (now, amount) = (now(), Int64(amount))
        let (allowed, scope) = (limits[call], scope.map(call.counted))
        if let scope, hasSecret {
            return try take(amount, Credential(scope: scope, isSecret: true, call: call), allowed.secret, now)
        }
        try take(amount, call, of: scope, from: address, allowed.address, now)
        guard let scope else { return }
        if !address.isUnknown { try take(amount, Client.site(of: address, scope, call), allowed.keyPerSite, now) }
        let wait = takeOrWait(amount, Credential(scope: scope, isSecret: false, call: call), allowed.key, now)
        guard let wait, !takeFromReserve(amount, call, of: scope, from: address, allowed, now) else { return }
        throw refuse(call, allowed.key, by: .key, wait: wait)
    }

    /// Takes a request from the reserve of a key whose rate is used up. False if its network has had its share of that, or the reserve is used
    /// up, too.
    private func takeFromReserve(
        _ amount: Int64, _ call: LimitedCall, of scope: Scope, from address: ClientAddress, _ allowed: RateLimits.Allowed,
        _ now: Int64
    ) -> Bool {
        guard !address.isUnknown else { return false }
        let share = Client.site(of: address, scope, call, unit: .siteInReserve)
        guard shard(share.network).buckets.withLock({ $0.take(share, amount, of: allowed.reservePerSite, at: now) }) == nil else {
            return false
        }
        let reserve = Credential(scope: scope, isSecret: false, isReserve: true, call: call)
        return takeOrWait(amount, reserve, allowed.keyReserve, now) == nil
    }

    /// Counts a request that an access token or a signed URL authorizes: against its client address, then against the token's bucket of
    /// the app and that of all its tokens or, for a signed URL, the secret's. Fails with `rateLimited`.
    ///
    /// - Parameter token: nil for a signed URL.
    package func admit(
        _ call: LimitedCall, of scope: Scope, token: AccessToken.ID?, from address: ClientAddress, amount: Int = 1
    ) throws(Failure) {
        guard limits.isOn, !limits.isExempt(address) else { return }
        let (now, allowed, amount, scope) = (now(), limits[call], Int64(amount), call.counted(scope))
        try take(amount, call, of: scope, from: address, allowed.address, now)
        try take(amount, Credential(scope: scope, isSecret: true, token: token, call: call), allowed.secret, now)
        guard token != nil else { return }
        let ofAll = Credential(scope: scope, isSecret: true, isOfAllTokens: true, call: call)
        try take(amount, ofAll, allowed.secret.times(call.rateOfAllTokens), now)
    }

    private func take(
        _ amount: Int64, _ call: LimitedCall, of scope: Scope?, from address: ClientAddress, _ rate: Rate, _ now: Int64
    ) throws(Failure) {
        // An unknown address has no bucket, since unrelated clients would share it.
        guard !address.isUnknown else { return }
        let network = address.networkNumber
        if let scope { try take(amount, Client(network: network, scope: scope, call: call), rate, now) }
        let ofAll = scope == nil ? rate : rate.times(2)
        try take(amount, Client(network: network, scope: nil, call: call), ofAll, now)
        let site = Client.site(of: address, nil, call)
        try take(amount, site, ofAll.times(Self.ratePerSite), now)
    }

    /// Counts a visit to a link, one with a long query as several, and the bytes of that as stored data. Fails with `rateLimited`.
    package func admitVisit(from address: ClientAddress, query: String?) throws(Failure) {
        try admit(.visit, of: nil, from: address, amount: Self.visits(for: query))
        try admitStored(query: query, from: address)
    }

    /// Counts the bytes of a query that a visit stores as stored data if it is long: the visit's own, or that of the click it continues.
    /// Fails with `rateLimited`.
    package func admitStored(query: String?, from address: ClientAddress) throws(Failure) {
        guard let bytes = query?.utf8.count, bytes > Self.freeQueryBytes else { return }
        try admit(.store, of: nil, from: address, amount: bytes)
    }

    /// Returns the query of a visit as it is recorded, and counts a long one as data that the link's app stores. Beyond that budget it is
    /// omitted, as below ``DiskMonitor``'s minimum: the visitor is redirected, and the click keeps its signals for attribution.
    ///
    /// The budget is as large as that of the app's key (`limits.store.key`), of which a network has at most half, but its own: visits do
    /// not use up what the app's links, sessions and events need.
    func recordedQuery(_ query: String?, of scope: Scope, from address: ClientAddress) -> String? {
        guard let query, query.utf8.count > Self.freeAppQueryBytes else { return query }
        guard limits.isOn, !limits.isExempt(address) else { return query }
        let (now, amount, allowed) = (now(), Int64(query.utf8.count), limits[.store])
        if !address.isUnknown, allowed.keyPerSite != .unlimited {
            let share = Client.site(of: address, scope, .store, unit: .siteInQueries)
            let wait = shard(share.network).buckets.withLock { $0.take(share, amount, of: allowed.keyPerSite, at: now) }
            if wait != nil { return omitted(by: .keyAndSite) }
        }
        let budget = Credential(scope: scope, isSecret: false, isOfQueries: true, call: .store)
        return takeOrWait(amount, budget, allowed.key, now) == nil ? query : omitted(by: .key)
    }

    private func omitted(by owner: Refusal.Owner) -> String? {
        refusals?.record(.longQuery(owner))
        return nil
    }

    /// Returns the failure with which ``admitVisit(from:query:)`` would reject a visit now because of its rate, and counts the refusal; nil if
    /// it would not. Takes no tokens.
    package func refusalOfVisit(from address: ClientAddress, query: String?) -> Failure? {
        let rate = limits[.visit].address
        guard limits.isOn, rate != .unlimited, !address.isUnknown, !limits.isExempt(address) else { return nil }
        let (now, visits) = (now(), Int64(Self.visits(for: query)))
        return refusal(visits, Client(network: address.networkNumber, scope: nil, call: .visit), rate, now)
            ?? refusal(visits, Client.site(of: address, nil, .visit), rate.times(Self.ratePerSite), now)
    }

    private func refusal(_ amount: Int64, _ client: Client, _ rate: Rate, _ now: Int64) -> Failure? {
        let wait = shard(client.network).buckets.withLock { $0.wait(client, for: amount, of: rate, at: now) }
        return wait.map { refuse(client.call, rate, by: client.owner, wait: $0) }
    }

    /// The length in bytes up to which a visit's query is included in the visit.
    static let freeQueryBytes = 512

    /// The length in bytes up to which a visit's query does not count towards its app's budget.
    private static let freeAppQueryBytes = 1024

    /// Counts the cost of a request that is known only after its admission, such as bytes that were stored for it. Delays later requests.
    package func charge(_ call: LimitedCall, of scope: Scope, from address: ClientAddress, hasSecret: Bool, amount: Int) {
        guard limits.isOn, !limits.isExempt(address), amount > 0 else { return }
        let (now, amount) = (now(), Int64(amount))
        let allowed = limits[call]
        let (rate, credential) = (
            hasSecret ? allowed.secret : allowed.key, Credential(scope: scope, isSecret: hasSecret, call: call)
        )
        if rate != .unlimited { ofApps.withLock { $0.charge(amount, to: credential, of: rate, at: now) } }
        guard !hasSecret, !address.isUnknown else { return }
        if allowed.keyPerSite != .unlimited { charge(amount, Client.site(of: address, scope, call), allowed.keyPerSite, now) }
        guard allowed.address != .unlimited else { return }
        let network = address.networkNumber
        charge(amount, Client(network: network, scope: scope, call: call), allowed.address, now)
        let site = Client.site(of: address, nil, call)
        charge(amount, site, allowed.address.times(2 * Self.ratePerSite), now)
    }

    private func charge(_ amount: Int64, _ client: Client, _ rate: Rate, _ now: Int64) {
        shard(client.network).buckets.withLock { $0.charge(client, amount, of: rate, at: now) }
    }

    private func take(_ amount: Int64, _ client: Client, _ rate: Rate, _ now: Int64) throws(Failure) {
        guard rate != .unlimited else { return }
        let wait = shard(client.network).buckets.withLock { $0.take(client, amount, of: rate, at: now) }
        if let wait { throw refuse(client.call, rate, by: client.owner, wait: wait) }
    }

    private func take(_ amount: Int64, _ credential: Credential, _ rate: Rate, _ now: Int64) throws(Failure) {
        guard let wait = takeOrWait(amount, credential, rate, now) else { return }
        throw refuse(
            credential.call, rate,
            by: credential.token != nil || credential.isOfAllTokens ? .token : credential.isSecret ? .secret : .key, wait: wait)
    }

    /// Takes tokens from a bucket of an app. Returns nil on success, otherwise the nanoseconds after which a retry can succeed.
    private func takeOrWait(_ amount: Int64, _ credential: Credential, _ rate: Rate, _ now: Int64) -> Int64? {
        guard rate != .unlimited else { return nil }
        // A key is in every copy of the app, so the calls of one client must not put its bucket in debt: those of all others would wait.
        let mayOwe = credential.isSecret
        return ofApps.withLock { $0.take(amount, from: credential, of: rate, mayOwe: mayOwe, at: now) }
    }

    private func refuse(_ call: LimitedCall, _ rate: Rate, by owner: Refusal.Owner, wait: Int64) -> Failure {
        refusals?.record(.rate(call, owner))
        let seconds = Int((wait + 999_999_999) / 1_000_000_000)
        return Failure(
            .rateLimited,
            "Too many requests \(owner.meaning): \(call.meaning) may come at \(rate.text). Please try again in \(seconds) s.",
            retryAfter: seconds)
    }

    /// Returns the units for other limits by address and site. Nil if they do not apply, because the address is unknown or exempt
    /// (`limits.exempt_networks`).
    package func network(of address: ClientAddress) -> ClientNetwork? {
        address.isUnknown || limits.isExempt(address) ? nil : ClientNetwork(address)
    }

    private func shard(_ network: UInt64) -> Shard {
        // Fibonacci hashing: the upper bits of the product choose the shard.
        shards[Int(truncatingIfNeeded: (network &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - Self.shardBits))]
    }

    /// The number of buckets in memory.
    package var bucketCount: Int { shards.reduce(ofApps.withLock(\.count)) { $0 + $1.buckets.withLock(\.count) } }

    /// Returns the nanoseconds since the machine started.
    @Sendable package static func uptime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
