/// A reward that waits for the operator.
package struct HeldReward: Sendable {
    package typealias ID = Identifier<HeldReward>

    package let id: ID
    /// The user who would get it.
    package let user: Identity.ID
    package let scope: Scope
    package let rule: RewardRule.ID
    package let cause: CreditCause
    /// What speaks against it, in words.
    package let reasons: [String]
    /// The origin of the call that earned it, see ``RewardOrigin``: hashes. Nil for a server's, and where it is unknown or not kept.
    package let address: String?
    package let network: String?

    package init(
        id: ID, user: Identity.ID, scope: Scope, rule: RewardRule.ID, cause: CreditCause, reasons: [String],
        address: String? = nil, network: String? = nil
    ) {
        self.id = id
        self.user = user
        self.scope = scope
        self.rule = rule
        self.cause = cause
        self.reasons = reasons
        self.address = address
        self.network = network
    }

    /// How many of one side of an app may be held on a day (UTC). What exceeds it is counted and not stored.
    package static let mostPerDay: Int64 = 10_000
}

/// Which of the rewards that wait are meant; all, where nothing is set.
package struct HeldRewardFilter: Sendable {
    package var rule: RewardRule.ID?
    /// Hashes, any of which may be the origin's address.
    package var addresses: [String]?
    /// Hashes, any of which may be the origin's network.
    package var networks: [String]?
    package var since: Timestamp?

    package init(
        rule: RewardRule.ID? = nil, addresses: [String]? = nil, networks: [String]? = nil, since: Timestamp? = nil
    ) {
        self.rule = rule
        self.addresses = addresses
        self.networks = networks
        self.since = since
    }
}

/// A day on which more rewards were to be held than may be.
package struct DroppedRewards: Sendable, Equatable {
    package let scope: Scope
    /// Since 1970 in UTC.
    package let day: Int64
    package let dropped: Int64

    package init(scope: Scope, day: Int64, dropped: Int64) {
        self.scope = scope
        self.day = day
        self.dropped = dropped
    }
}

package protocol HeldRewardReader {
    /// Those that wait and match, oldest first, from the one after `id` on.
    func heldRewards(of scope: Scope, _ filter: HeldRewardFilter, after id: HeldReward.ID?, limit: Int) throws -> [HeldReward]
    /// One that waits.
    func heldReward(_ id: HeldReward.ID, in scope: Scope) throws -> HeldReward?
    /// The days on which rewards were dropped, from a day on: of one side of an app or, with nil, of all.
    func droppedRewards(of scope: Scope?, since day: Int64) throws -> [DroppedRewards]
}

package protocol HeldRewardRepository: HeldRewardReader {
    func insert(_ held: HeldReward) throws
    /// Counts one more that is held. False, and it is counted as dropped, if there are `limit` already.
    func countHeldReward(in scope: Scope, on day: Int64, limit: Int64) throws -> Bool
    /// It waits no more. False if it does not.
    func decide(_ id: HeldReward.ID, in scope: Scope) throws -> Bool
}
