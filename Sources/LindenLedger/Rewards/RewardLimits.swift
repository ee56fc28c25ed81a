import Linden
import LindenKernel

package protocol RewardSourceReader {
    /// The number of rewards of a source on a day.
    func rewards(from source: RewardOrigin.Source, in scope: Scope, on day: Int64) throws -> Int64
    /// The number of rewards of all calls for each day from `day` until before `end` that has any.
    func dailyRewards(in scope: Scope, since day: Int64, before end: Int64) throws -> [Int64]
    /// Whether counters of addresses or networks exist for earlier days.
    func hasRewardSources(before day: Int64) throws -> Bool
}

package protocol RewardSourceRepository: RewardSourceReader {
    /// Increments a source's counter. Returns false and changes nothing if it has reached `limit`.
    func countReward(from source: RewardOrigin.Source, in scope: Scope, on day: Int64, limit: Int64?) throws -> Bool
    /// Deletes counters of addresses and networks of earlier days, at most `limit` of them: any number of addresses may have one.
    func deleteRewardSources(before day: Int64, limit: Int) throws
}

/// A read-write transaction, as far as the daily limits of rewards need it: counters, settings and the time.
package protocol RewardLimitTransaction: RewardSourceRepository, AppReader, SnapshotReader {}

/// The daily limits of rewards within a transaction.
struct DailyRewardLimits {
    let transaction: any RewardLimitTransaction

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
        let earned = try transaction.dailyRewards(
            in: scope, since: transaction.now.day - RewardLimits.usualDays, before: transaction.now.day
        ).sorted(by: >)
        let middle = Int(RewardLimits.usualDays / 2)
        let usual = earned.count > middle ? earned[middle] : 0
        return max(RewardLimits.leastPerDay, RewardLimits.usualMultiple * usual)
    }

    /// Returns the limits that one more reward from an origin would exceed today; empty if it may be granted immediately.
    func exceeded(by origin: RewardOrigin, in scope: Scope) throws -> [ExceededRewardLimit] {
        try origin.sources.compactMap { source in
            guard let (limit, setting) = try rewardLimit(of: source, in: scope),
                try transaction.rewards(from: source, in: scope, on: transaction.now.day) >= limit
            else { return nil }
            return ExceededRewardLimit(source: source, limit: limit, setting: setting)
        }
    }

    /// Counts a granted reward for all sources of its origin. Fails with `unavailable` if a concurrent transaction has reached a limit.
    func count(_ origin: RewardOrigin, in scope: Scope) throws {
        for source in origin.sources {
            let limit = try rewardLimit(of: source, in: scope)?.limit
            guard try transaction.countReward(from: source, in: scope, on: transaction.now.day, limit: limit) else {
                throw Failure.unavailable("Rewards reached their limit at the same time; please try again.")
            }
        }
    }
}

/// A limit of rewards that was reached on a day.
struct ExceededRewardLimit: Equatable {
    let source: RewardOrigin.Source
    /// The limit, in rewards per day.
    let limit: Int64
    /// The app's setting that determines the limit.
    let setting: String

    /// The reason for holding a reward, as shown to the operator.
    var reason: String {
        let place =
            switch source {
            case .address: "its address"
            case .network: "its network"
            case .anywhere: "all calls without the secret together"
            }
        return "\(limit) rewards were earned today by \(place), which is the limit (\(setting))."
    }
}
