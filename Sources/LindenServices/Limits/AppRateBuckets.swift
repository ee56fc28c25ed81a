/// The buckets of apps, by credential: of each app, and of each of its access tokens, of which full ones are the same as none.
struct AppRateBuckets: Sendable {
    private var buckets: [RateLimiter.Credential: RateBucket] = [:]
    /// The number of buckets at which full ones are removed.
    private var sweepsAt = 4096

    var count: Int { buckets.count }

    /// Takes tokens from a bucket, see ``RateBucket/take(_:of:mayOwe:at:)``.
    mutating func take(
        _ amount: Int64, from credential: RateLimiter.Credential, of rate: Rate, mayOwe: Bool, at now: Int64
    ) -> Int64? {
        makeRoom(for: credential, at: now)
        return buckets[credential, default: RateBucket()].take(amount, of: rate, mayOwe: mayOwe, at: now)
    }

    mutating func charge(_ amount: Int64, to credential: RateLimiter.Credential, of rate: Rate, at now: Int64) {
        makeRoom(for: credential, at: now)
        buckets[credential, default: RateBucket()].charge(amount, of: rate, at: now)
    }

    private mutating func makeRoom(for credential: RateLimiter.Credential, at now: Int64) {
        guard buckets.count >= sweepsAt, buckets[credential] == nil else { return }
        buckets = buckets.filter { $0.value.usedPart(at: now) > 0 }
        // At least as many are added before the next sweep as this one looked at.
        sweepsAt = max(4096, 2 * buckets.count)
    }
}
