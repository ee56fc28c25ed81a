package protocol RewardReader {
    /// A scope's rules, oldest first.
    func rewardRules(of scope: Scope) throws -> [RewardRule]
    /// A rule of any scope, paused or removed ones too.
    func rewardRule(_ id: RewardRule.ID) throws -> RewardRule?
    /// The rules for an event that are neither paused nor removed, oldest first.
    func rewardRules(for event: EventName, in scope: Scope) throws -> [RewardRule]
    /// How often a rule has rewarded a user on a day since 1970; on nil ever.
    func rewards(by rule: RewardRule.ID, to user: Identity.ID, on day: Int64?) throws -> Int64
}

package protocol RewardRepository: RewardReader {
    func insert(_ rule: RewardRule) throws
    /// False if the scope has no such rule.
    func set(_ rule: RewardRule.ID, in scope: Scope, isPaused: Bool) throws -> Bool
    /// The rule rewards nobody any more; what it has rewarded stays. False if the scope has no such rule.
    func removeRewardRule(_ id: RewardRule.ID, in scope: Scope) throws -> Bool
    /// Counts a reward, unless the rule has rewarded the user `cap` times by then: false.
    func countReward(by rule: RewardRule.ID, to user: Identity.ID, on day: Int64?, cap: Int64) throws -> Bool
    /// Counts for one user too what every rule has rewarded another.
    func addRewardCounts(of user: Identity.ID, to other: Identity.ID) throws
}
