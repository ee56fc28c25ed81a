/// Daily limits on rewards that are earned by calls with the public key alone. Rewards above a limit are held for the operator.
package struct RewardLimits: Sendable {
    package static let perAddressSetting = "fraud.rewards_per_address"
    package static let perNetworkSetting = "fraud.rewards_per_network"
    package static let perDaySetting = "fraud.rewards_per_day"

    package static let standardPerAddress: Int64 = 20
    package static let standardPerNetwork: Int64 = 60
    /// The default limit per day, as a multiple of the usual number of rewards.
    package static let usualMultiple: Int64 = 5
    package static let leastPerDay: Int64 = 100
    /// The number of days before today whose median is the usual number of rewards. Days without rewards count as zero, so that the limit
    /// rises only after two weeks of rewards.
    package static let usualDays: Int64 = 28

    package enum Limit: Equatable {
        case off
        case number(Int64)
        /// The default, for an app without the setting.
        case standard

        init(_ text: String?) {
            switch text {
            case nil: self = .standard
            case "off": self = .off
            case let text?: self = Int64(text).map(Limit.number) ?? .standard
            }
        }
    }

    package let perAddress: Limit
    package let perNetwork: Limit
    package let perDay: Limit
}

extension AppConfiguration {
    package var rewardLimits: RewardLimits {
        RewardLimits(
            perAddress: RewardLimits.Limit(self[RewardLimits.perAddressSetting]),
            perNetwork: RewardLimits.Limit(self[RewardLimits.perNetworkSetting]),
            perDay: RewardLimits.Limit(self[RewardLimits.perDaySetting]))
    }
}
