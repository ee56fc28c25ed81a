import Foundation
import Synchronization

/// Counts calls by app and address together, by address and by app, in memory, and refuses what comes too often.
///
/// An app's public key is in the app, so any stranger has it. The bucket of key and address comes first, so that one address uses up its
/// own share and never the app's. Calls with a secret have a bucket of their own, which no stranger reaches.
package final class RateLimiter: Sendable {
    /// What a bucket counts.
    private enum Owner: Hashable {
        case address(network: UInt64, LimitedCall)
        case key(Scope, LimitedCall)
        case keyAndAddress(Scope, network: UInt64, LimitedCall)
        case secret(Scope, LimitedCall)

        /// For the message of a refusal.
        var name: String {
            switch self {
            case .address: "from one address"
            case .key: "with one key"
            case .keyAndAddress: "from one address with one key"
            case .secret: "with one secret"
            }
        }
    }

    private final class Shard: Sendable {
        let buckets = Mutex<[Owner: RateBucket]>([:])
    }

    private static let shardCount = 16
    /// Buckets of one shard. Full ones are dropped when there are more; if all are in use, all are: a flood from so many networks is no
    /// longer one that counting by address can tell apart.
    private static let mostBuckets = 20_000

    package let limits: RateLimits
    private let shards: [Shard]
    private let now: @Sendable () -> Int64

    /// - Parameter now: nanoseconds of a clock that never goes back.
    package init(limits: RateLimits, now: @escaping @Sendable () -> Int64 = RateLimiter.uptime) {
        self.limits = limits
        self.now = now
        shards = (0..<Self.shardCount).map { _ in Shard() }
    }

    /// Counts a call, or fails with `rateLimited`, saying when a retry can succeed. A call that is refused by one bucket takes nothing
    /// from the buckets behind it.
    ///
    /// - Parameters:
    ///   - scope: the app that the call's key names; nil for visits, which name none.
    ///   - hasSecret: whether the call proved to be the operator's.
    ///   - amount: calls, or bytes for ``LimitedCall/store``.
    package func admit(
        _ call: LimitedCall, of scope: Scope?, from address: ClientAddress, hasSecret: Bool = false, amount: Int = 1
    ) throws(Failure) {
        guard limits.isOn, !limits.isExempt(address) else { return }
        let (now, amount) = (now(), Int64(amount))
        let allowed = limits[call]
        if let scope, hasSecret { return try take(amount, .secret(scope, call), allowed.secret, call, now) }
        let network = address.networkNumber
        // Clients whose addresses are unknown share none.
        if !address.isUnknown {
            if let scope { try take(amount, .keyAndAddress(scope, network: network, call), allowed.address, call, now) }
            try take(amount, .address(network: network, call), scope == nil ? allowed.address : allowed.address.times(2), call, now)
        }
        if let scope { try take(amount, .key(scope, call), allowed.key, call, now) }
    }

    private func take(_ amount: Int64, _ owner: Owner, _ rate: Rate, _ call: LimitedCall, _ now: Int64) throws(Failure) {
        guard rate != .unlimited else { return }
        let shard = shards[Int(UInt(bitPattern: owner.hashValue) % UInt(Self.shardCount))]
        let wait = shard.buckets.withLock { buckets in
            if buckets.count >= Self.mostBuckets {
                buckets = buckets.filter { !$0.value.isFull(at: now) }
                if buckets.count > Self.mostBuckets / 2 { buckets = [:] }
            }
            return buckets[owner, default: RateBucket()].take(amount, of: rate, at: now)
        }
        guard let wait else { return }
        throw Failure.tooOften(call, rate, by: owner.name, wait: wait)
    }

    /// Buckets in memory, each some 100 bytes.
    package var bucketCount: Int { shards.reduce(0) { $0 + $1.buckets.withLock(\.count) } }

    /// Nanoseconds since the machine started.
    @Sendable package static func uptime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Failure {
    fileprivate static func tooOften(_ call: LimitedCall, _ rate: Rate, by owner: String, wait: Int64) -> Failure {
        let seconds = Int((wait + 999_999_999) / 1_000_000_000)
        return Failure(
            .rateLimited, "Too many calls \(owner): \(call.meaning) is limited to \(rate.text). Please try again in \(seconds) s.",
            retryAfter: seconds)
    }
}
