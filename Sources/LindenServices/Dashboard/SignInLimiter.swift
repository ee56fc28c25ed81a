import Linden
import LindenKernel
import Synchronization

/// The limits of failed sign-ins, by name and site and by site, in 15 minutes.
///
/// A site is a /24 of IPv4 or a /48 of IPv6. Not by name alone: otherwise any stranger could keep a user out. All addresses count, loopback
/// too, regardless of `limits.exempt_networks`.
///
/// Counted in memory, whether or not there is a user of the name; a restart resets the counts. Bounded: keys without recent attempts are
/// evicted first. A client with thousands of sites gains little by that, since each may try ``mostPerSite`` times anyway.
final class SignInLimiter: Sendable {
    /// A counted attempt, which can be taken back.
    struct Attempt: Sendable {
        fileprivate let keys: [Key]
        fileprivate let time: Timestamp
    }

    fileprivate enum Key: Hashable {
        /// The hash of the name, which may be long.
        case name([UInt8], site: UInt64)
        case site(UInt64)
        /// The codes of a user's second factor, from all sites: who sends one knows the password.
        case code([UInt8])
        /// The sign-ins by the OpenID provider, whose users have no name before.
        case provider(site: UInt64)
    }

    static let mostPerName = 5
    static let mostPerSite = 20
    static let mostCodes = 20
    static let window: Duration = .seconds(15 * 60)

    private let attempts: Mutex<TwoGenerationCache<Key, [Timestamp]>>

    /// - Parameter capacity: the maximum number of keys, of up to 300 bytes each.
    init(capacity: Int = 20_000) {
        attempts = Mutex(TwoGenerationCache(capacity: capacity))
    }

    /// Counts an attempt as failed until it is taken back, so that attempts at the same time do not exceed the limits. Fails with
    /// `rateLimited` beyond a limit, and counts nothing then.
    func take(name: String, from address: ClientAddress, at now: Timestamp) throws(Failure) -> Attempt {
        let site = address.siteNumber
        return try take(
            [(.name(Secret.hash(name.lowercased()), site: site), Self.mostPerName), (.site(site), Self.mostPerSite)], at: now)
    }

    /// Counts an attempt with a code of the second factor, beside those with the user's password. Fails like ``take(name:from:at:)``.
    func takeCode(name: String, from address: ClientAddress, at now: Timestamp) throws(Failure) -> Attempt {
        let (site, hash) = (address.siteNumber, Secret.hash(name.lowercased()))
        return try take(
            [(.name(hash, site: site), Self.mostPerName), (.site(site), Self.mostPerSite), (.code(hash), Self.mostCodes)], at: now)
    }

    /// Counts a sign-in by the OpenID provider, which has nothing to guess, but costs requests to the provider. Fails like
    /// ``take(name:from:at:)``.
    func takeProvider(from address: ClientAddress, at now: Timestamp) throws(Failure) -> Attempt {
        try take([(.provider(site: address.siteNumber), Self.mostPerSite)], at: now)
    }

    private func take(_ limits: [(key: Key, most: Int)], at now: Timestamp) throws(Failure) -> Attempt {
        let end = attempts.withLock { attempts -> Timestamp? in
            let recent = limits.map { limit in attempts.recent(limit.key, at: now) }
            let ends = zip(limits, recent).compactMap { limit, times in
                times.count < limit.most ? nil : times[times.count - limit.most] + Self.window
            }
            if let end = ends.max() { return end }
            for (limit, times) in zip(limits, recent) { attempts.insert(times + [now], for: limit.key) }
            return nil
        }
        if let end { throw Failure.tooManySignIns(until: end, at: now) }
        return Attempt(keys: limits.map(\.key), time: now)
    }

    /// Takes back the count of an attempt that did not fail.
    func giveBack(_ attempt: Attempt) {
        attempts.withLock { attempts in
            for key in attempt.keys {
                guard var times = attempts.value(for: key), let index = times.lastIndex(of: attempt.time) else { continue }
                times.remove(at: index)
                attempts.insert(times, for: key)
            }
        }
    }

    /// The number of keys in memory.
    var count: Int { attempts.withLock { $0.cost } }
}

extension TwoGenerationCache<SignInLimiter.Key, [Timestamp]> {
    /// Returns the times of a key's attempts within the window, in order.
    fileprivate mutating func recent(_ key: Key, at now: Timestamp) -> [Timestamp] {
        value(for: key)?.filter { $0 + SignInLimiter.window > now } ?? []
    }
}

extension Failure {
    fileprivate static func tooManySignIns(until end: Timestamp, at now: Timestamp) -> Failure {
        let seconds = Int((end.milliseconds - now.milliseconds + 999) / 1000)
        return Failure(
            .rateLimited,
            "Too many sign-ins failed: at most \(SignInLimiter.mostPerName) with one name may fail in 15 minutes, and "
                + "\(SignInLimiter.mostPerSite) from one network. Please try again in \(seconds) s.",
            retryAfter: seconds)
    }
}
