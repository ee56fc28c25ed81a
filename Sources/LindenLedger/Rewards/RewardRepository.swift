import Linden

package protocol RewardReader {
    /// The next of a scope's rules that are not removed, oldest first.
    func rewardRules(of scope: Scope, after id: RewardRule.ID?, limit: Int) throws -> [RewardRule]
    /// The number of a scope's rules that are not removed: of an event, and in all.
    func rewardRuleCounts(for event: EventName, in scope: Scope) throws -> (ofEvent: Int64, ofAll: Int64)
    /// A rule of any scope, including paused and removed ones.
    func rewardRule(_ id: RewardRule.ID) throws -> RewardRule?
    /// A rule of a scope that is not removed.
    func rewardRule(_ id: RewardRule.ID, in scope: Scope) throws -> RewardRule?
    /// The rules for an event that are neither paused nor removed, oldest first.
    func rewardRules(for event: EventName, in scope: Scope) throws -> [RewardRule]
    /// The number of times a rule has rewarded an identity on a day, in days since 1970, or in total if nil. Counted only for rules with
    /// the corresponding cap.
    func rewards(by rule: RewardRule.ID, to user: Identity.ID, on day: Int64?) throws -> Int64
}

package protocol RewardRepository: RewardReader {
    func insert(_ rule: RewardRule) throws
    /// Pauses or resumes a rule. False if the scope has no such rule.
    func set(_ rule: RewardRule.ID, in scope: Scope, isPaused: Bool) throws -> Bool
    /// Removes a rule; the rewards that it has granted stay. False if the scope has no such rule.
    func removeRewardRule(_ id: RewardRule.ID, in scope: Scope) throws -> Bool
    /// Counts a reward. Returns false and changes nothing if the rule has rewarded the identity `cap` times on the day, or in total if nil.
    func countReward(by rule: RewardRule.ID, to user: Identity.ID, on day: Int64?, cap: Int64) throws -> Bool
    /// Adds the reward counts of one identity to those of another, for all rules.
    func addRewardCounts(of user: Identity.ID, to other: Identity.ID) throws
}
