/// How many rewards a day earns by calls that anyone with the public key can make. What exceeds them waits for the operator.
struct RewardLimits: Sendable {
    static let perAddressSetting = "fraud.rewards_per_address"
    static let perNetworkSetting = "fraud.rewards_per_network"
    static let perDaySetting = "fraud.rewards_per_day"

    static let standardPerAddress: Int64 = 20
    static let standardPerNetwork: Int64 = 60
    /// Of the usual day.
    static let usualMultiple: Int64 = 5
    static let leastPerDay: Int64 = 100
    /// The days before today of which the usual one is the median. Days without a reward count, so that the limit rises only
    /// after two weeks of rewards.
    static let usualDays: Int64 = 28

    enum Limit: Equatable {
        case off
        case number(Int64)
        /// What it is where the app says nothing.
        case standard

        init(_ text: String?) {
            switch text {
            case nil: self = .standard
            case "off": self = .off
            case let text?: self = Int64(text).map(Limit.number) ?? .standard
            }
        }
    }

    let perAddress: Limit
    let perNetwork: Limit
    let perDay: Limit
}

extension AppConfiguration {
    var rewardLimits: RewardLimits {
        RewardLimits(
            perAddress: RewardLimits.Limit(self[RewardLimits.perAddressSetting]),
            perNetwork: RewardLimits.Limit(self[RewardLimits.perNetworkSetting]),
            perDay: RewardLimits.Limit(self[RewardLimits.perDaySetting]))
    }
}

package protocol RewardSourceReader {
    /// The rewards of a source on a day.
    func rewards(from source: RewardOrigin.Source, in scope: Scope, on day: Int64) throws -> Int64
    /// The rewards of all calls on each day from `day` up to `end` that has any.
    func dailyRewards(in scope: Scope, since day: Int64, before end: Int64) throws -> [Int64]
    /// Whether addresses or networks of earlier days are counted.
    func hasRewardSources(before day: Int64) throws -> Bool
}

package protocol RewardSourceRepository: RewardSourceReader {
    /// Counts one more. False, and nothing is counted, if there are `limit` already.
    func countReward(from source: RewardOrigin.Source, in scope: Scope, on day: Int64, limit: Int64?) throws -> Bool
    /// Forgets the addresses and networks of earlier days.
    func deleteRewardSources(before day: Int64) throws
}

extension Reader {
    /// Of a source the most rewards that are given today; nil if there is no limit.
    func rewardLimit(of source: RewardOrigin.Source, in scope: Scope) throws -> (limit: Int64, setting: String)? {
        let limits = try app(scope.app)?.configuration.rewardLimits ?? AppConfiguration().rewardLimits
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
        let earned = try dailyRewards(in: scope, since: now.day - RewardLimits.usualDays, before: now.day).sorted(by: >)
        let middle = Int(RewardLimits.usualDays / 2)
        let usual = earned.count > middle ? earned[middle] : 0
        return max(RewardLimits.leastPerDay, RewardLimits.usualMultiple * usual)
    }

    /// The limits of a day that one more reward for a call from an origin would exceed; empty if it is given at once.
    func exceededLimits(of origin: RewardOrigin, in scope: Scope) throws -> [ExceededRewardLimit] {
        try origin.sources.compactMap { source in
            guard let (limit, setting) = try rewardLimit(of: source, in: scope),
                try rewards(from: source, in: scope, on: now.day) >= limit
            else { return nil }
            return ExceededRewardLimit(source: source, limit: limit, setting: setting)
        }
    }
}

/// A limit of rewards that a day has reached.
struct ExceededRewardLimit: Equatable {
    let source: RewardOrigin.Source
    /// Rewards a day.
    let limit: Int64
    /// The app's setting that decides.
    let setting: String

    /// What the operator reads of a reward that is held because of it.
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

extension Transaction {
    /// Counts a reward that was given.
    func count(rewardFrom origin: RewardOrigin, in scope: Scope) throws {
        for source in origin.sources {
            let limit = try rewardLimit(of: source, in: scope)?.limit
            guard try countReward(from: source, in: scope, on: now.day, limit: limit) else {
                throw Failure.unavailable("Rewards reached their limit at the same time; please try again.")
            }
        }
    }
}
