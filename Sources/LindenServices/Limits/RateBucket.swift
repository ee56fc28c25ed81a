/// The state of the token buckets of a ``Rate``: for each period the time at which its bucket is full again (generic cell rate algorithm,
/// ITU-T I.371). 24 bytes; times are nanoseconds of a monotonic clock.
struct RateBucket: Sendable {
    private var second: Int64 = 0
    private var minute: Int64 = 0
    private var hour: Int64 = 0

    /// Returns the used fraction of the rate, in the period with the highest one: 0 for full buckets, which are equivalent to no entry, 1
    /// for an empty one, more for one in debt.
    func usedPart(at now: Int64) -> Double {
        func part(_ fullAt: Int64, _ period: Rate.Period) -> Double { Double(max(0, fullAt - now)) / Double(period.nanoseconds) }
        return max(part(second, .second), part(minute, .minute), part(hour, .hour))
    }

    /// Takes tokens from the buckets of all periods, or from none.
    ///
    /// A bucket grants an amount above half its size as soon as it is half full, and may be in debt afterwards: with steady traffic it is
    /// never full. An amount above its size takes its size, so the debt is at most half of it. Without debt, an amount above half
    /// of its size takes half of it.
    ///
    /// - Parameter mayOwe: whether the buckets may be in debt afterwards.
    /// - Returns: nil on success, otherwise the nanoseconds after which a retry can succeed.
    mutating func take(_ amount: Int64, of rate: Rate, mayOwe: Bool = true, at now: Int64) -> Int64? {
        var after = self
        let wait = max(
            Self.take(amount, of: rate.perSecond, .second, &after.second, mayOwe: mayOwe, at: now),
            Self.take(amount, of: rate.perMinute, .minute, &after.minute, mayOwe: mayOwe, at: now),
            Self.take(amount, of: rate.perHour, .hour, &after.hour, mayOwe: mayOwe, at: now))
        guard wait <= 0 else { return wait }
        self = after
        return nil
    }

    /// Takes tokens for an amount that was used already, even if the buckets do not have them. The debt is limited to one period.
    mutating func charge(_ amount: Int64, of rate: Rate, at now: Int64) {
        _ = Self.take(amount, of: rate.perSecond, .second, &second, mayOwe: true, at: now)
        _ = Self.take(amount, of: rate.perMinute, .minute, &minute, mayOwe: true, at: now)
        _ = Self.take(amount, of: rate.perHour, .hour, &hour, mayOwe: true, at: now)
        second = min(second, now + 2 * Rate.Period.second.nanoseconds)
        minute = min(minute, now + 2 * Rate.Period.minute.nanoseconds)
        hour = min(hour, now + 2 * Rate.Period.hour.nanoseconds)
    }

    /// - Returns: the time to wait in nanoseconds; 0 or less if the tokens are available.
    private static func take(
        _ amount: Int64, of count: Int64?, _ period: Rate.Period, _ fullAt: inout Int64, mayOwe: Bool, at now: Int64
    ) -> Int64 {
        guard let count else { return 0 }
        let half = max(count / 2, 1)
        let length = period.nanoseconds
        // Computed in 128 bits: bytes per hour times nanoseconds per hour exceed 64.
        func time(of tokens: Int64) -> Int64 { Int64(Int128(tokens) * Int128(length) / Int128(count)) }
        let fullBefore = max(fullAt, now)
        fullAt = fullBefore + time(of: min(amount, mayOwe ? count : half))
        // Granted once the bucket, with the amount or at most half its size taken, would be full within one period.
        return fullBefore + time(of: min(amount, half)) - now - length
    }
}
