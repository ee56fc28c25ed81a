import Linden
import LindenKernel

/// What is counted per source and day, each with the same limits: a reward is granted, and a user is referred. A reward may be earned long
/// after its referral, and by a server's call, which names no source.
package enum DailyCount: Sendable {
    case rewards, referrals
}

package protocol RewardSourceReader {
    /// The number of rewards or referrals of a source on a day.
    func total(of counted: DailyCount, from source: RewardOrigin.Source, in scope: Scope, on day: Int64) throws -> Int64
    /// The number of rewards or referrals of all calls for each day from `day` until before `end` that has a row.
    func dailyTotals(of counted: DailyCount, in scope: Scope, since day: Int64, before end: Int64) throws -> [Int64]
    /// Whether counters of addresses or networks exist for earlier days.
    func hasRewardSources(before day: Int64) throws -> Bool
}

package protocol RewardSourceRepository: RewardSourceReader {
    /// Increments a source's counter. Returns false and changes nothing if it has reached `limit`.
    func count(
        _ counted: DailyCount, from source: RewardOrigin.Source, in scope: Scope, on day: Int64, limit: Int64?
    ) throws -> Bool
    /// Deletes counters of addresses and networks of earlier days, at most `limit` of them: any number of addresses may have one.
    func deleteRewardSources(before day: Int64, limit: Int) throws
}

/// A read-write transaction, as far as the daily limits of rewards need it: counters, settings and the time.
package protocol RewardLimitTransaction: RewardSourceRepository, AppReader, SnapshotReader {}

/// The daily limits of rewards, or of referrals, within a transaction.
struct DailyRewardLimits {
    let transaction: any RewardLimitTransaction
    var counted = DailyCount.rewards

    /// The daily limit of a source, with its setting; nil if there is none.
    private func rewardLimit(of source: RewardOrigin.Source, in scope: Scope) throws -> (limit: Int64, setting: String)? {
        let limits = try transaction.app(scope.app)?.configuration.rewardLimits ?? AppConfiguration().rewardLimits
        let (limit, standard, setting) =
            switch source {
            case .address: (limits.perAddress, RewardLimits.standardPerAddress, RewardLimits.perAddressSetting)
            case .network: (limits.perNetwork, RewardLimits.standardPerNetwork, RewardLimits.perNetworkSetting)
            case .anywhere: (limits.perDay, Int64(0), RewardLimits.perDaySetting)
            }
        switch limit {
        case .off: return nil
        case .number(let number): return (number, setting)
        case .standard: return (source == .anywhere ? try usualLimit(in: scope) : standard, setting)
        }
    }

    private func usualLimit(in scope: Scope) throws -> Int64 {
        let totals = try transaction.dailyTotals(
            of: counted, in: scope, since: transaction.now.day - RewardLimits.usualDays, before: transaction.now.day
        ).sorted(by: >)
        let middle = Int(RewardLimits.usualDays / 2)
        let usual = totals.count > middle ? totals[middle] : 0
        return max(RewardLimits.leastPerDay, RewardLimits.usualMultiple * usual)
    }

    /// Returns the limits that one more reward or referral from an origin would exceed today; empty if it may be granted immediately.
    func exceeded(by origin: RewardOrigin, in scope: Scope) throws -> [ExceededRewardLimit] {
        try origin.sources.compactMap { source in
            guard let (limit, setting) = try rewardLimit(of: source, in: scope),
                try transaction.total(of: counted, from: source, in: scope, on: transaction.now.day) >= limit
            else { return nil }
            return ExceededRewardLimit(
                counted: counted, day: Day(number: transaction.now.day), source: source, limit: limit, setting: setting)
        }
    }

    /// Counts a granted reward or a referral for all sources of its origin. Fails with `unavailable` if a concurrent transaction has
    /// reached a limit.
    func count(_ origin: RewardOrigin, in scope: Scope) throws {
        for source in origin.sources {
            let limit = try rewardLimit(of: source, in: scope)?.limit
            guard try transaction.count(counted, from: source, in: scope, on: transaction.now.day, limit: limit) else {
                throw Failure.unavailable("Rewards or referrals reached their limit at the same time; please try again.")
            }
        }
    }
}

/// A limit of rewards or referrals that was reached on a day.
struct ExceededRewardLimit {
    let counted: DailyCount
    let day: Day
    let source: RewardOrigin.Source
    /// The limit, in rewards or referrals per day.
    let limit: Int64
    /// The app's setting that determines the limit.
    let setting: String

    /// The reason for holding a reward, as shown to the operator. That of a referral names the day, since its rewards may come later.
    var reason: String {
        let place =
            switch source {
            case .address: "its address"
            case .network: "its network"
            case .anywhere: "all calls without the secret together"
            }
        return switch counted {
        case .rewards: "\(limit) rewards were earned today by \(place), which is the limit (\(setting))."
        case .referrals:
            "\(limit) users were referred on \(day.text) by \(place) before its user, which is the limit (\(setting))."
        }
    }
}
