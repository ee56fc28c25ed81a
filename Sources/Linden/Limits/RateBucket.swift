/// How much of a ``Rate`` was used: for each period the time at which its bucket is full again (generic cell rate algorithm, ITU-T
/// I.371). 24 bytes; times are nanoseconds of a clock that never goes back.
struct RateBucket: Sendable {
    private var second: Int64 = 0
    private var minute: Int64 = 0
    private var hour: Int64 = 0

    /// The part of the rate that is used, in the period of which most is: 0 for a full bucket, which says no more than none at all, 1 for
    /// an empty one, more after ``charge(_:of:at:)``.
    func usedPart(at now: Int64) -> Double {
        func part(_ full: Int64, _ period: Rate.Period) -> Double { Double(max(0, full - now)) / Double(period.nanoseconds) }
        return max(part(second, .second), part(minute, .minute), part(hour, .hour))
    }

    /// Takes from all periods, or from none. More than a bucket holds is taken from a full one, and is waited for accordingly.
    ///
    /// - Returns: nil if it was taken, otherwise the nanoseconds after which a retry can succeed.
    mutating func take(_ amount: Int64, of rate: Rate, at now: Int64) -> Int64? {
        var after = self
        let wait = max(
            Self.take(amount, rate.perSecond, .second, &after.second, now),
            Self.take(amount, rate.perMinute, .minute, &after.minute, now),
            Self.take(amount, rate.perHour, .hour, &after.hour, now))
        guard wait <= 0 else { return wait }
        self = after
        return nil
    }

    /// Takes from all periods what was used already, also where it is not there: the next take waits for it, a period longer at most.
    mutating func charge(_ amount: Int64, of rate: Rate, at now: Int64) {
        _ = Self.take(amount, rate.perSecond, .second, &second, now)
        _ = Self.take(amount, rate.perMinute, .minute, &minute, now)
        _ = Self.take(amount, rate.perHour, .hour, &hour, now)
        second = min(second, now + 2 * Rate.Period.second.nanoseconds)
        minute = min(minute, now + 2 * Rate.Period.minute.nanoseconds)
        hour = min(hour, now + 2 * Rate.Period.hour.nanoseconds)
    }

    /// - Returns: how long to wait; 0 or less for not at all.
    private static func take(_ amount: Int64, _ count: Int64?, _ period: Rate.Period, _ full: inout Int64, _ now: Int64) -> Int64 {
        guard let count else { return 0 }
        let length = period.nanoseconds
        // In 128 bits: bytes of an hour times its nanoseconds exceed 64.
        let used = Int64(Int128(min(amount, count)) * Int128(length) / Int128(count))
        full = max(full, now) + used
        return full - now - length
    }
}
