import Linden
import LindenKernel

/// A reward that waits for the operator's decision.
package struct HeldReward: Sendable {
    package typealias ID = Identifier<HeldReward>

    package let id: ID
    /// The identity that would receive the reward.
    package let user: Identity.ID
    package let scope: Scope
    package let rule: RewardRule.ID
    package let cause: CreditCause
    /// The reasons for holding the reward, as sentences.
    package let reasons: [String]
    /// The hashed origin of the call that earned the reward, see ``RewardOrigin``. Nil for a server's call, and if the address is unknown
    /// or not stored.
    package let address: String?
    package let network: String?
    /// The reward of the same action that was held before this one and has the uniqueness keys; nil if this one has them. Not read back.
    package let first: ID?
    /// Whether it was released.
    package let isGranted: Bool

    package init(
        id: ID, user: Identity.ID, scope: Scope, rule: RewardRule.ID, cause: CreditCause, reasons: [String],
        address: String? = nil, network: String? = nil, first: ID? = nil, isGranted: Bool = false
    ) {
        self.id = id
        self.first = first
        self.isGranted = isGranted
        self.user = user
        self.scope = scope
        self.rule = rule
        self.cause = cause
        self.reasons = reasons
        self.address = address
        self.network = network
    }

    /// The maximum number of rewards that are held per scope and UTC day. Rewards above it are counted as dropped and not stored.
    package static let mostPerDay: Int64 = 10_000

    /// The maximum number of rewards of one source that are held per scope and UTC day, so that one stranger leaves room for others.
    package static func dailyLimit(of source: RewardOrigin.Source) -> Int64 {
        switch source {
        case .address: 100
        case .network: 300
        case .anywhere: mostPerDay
        }
    }
}

/// A filter of held rewards. Fields that are nil match all.
package struct HeldRewardFilter: Sendable {
    package var rule: RewardRule.ID?
    /// Hashes, one of which must be the origin's address.
    package var addresses: [String]?
    /// Hashes, one of which must be the origin's network.
    package var networks: [String]?
    package var since: Timestamp?

    var isEmpty: Bool { rule == nil && addresses == nil && networks == nil && since == nil }

    /// The id behind which the rewards are that can match; nil if all can.
    var start: HeldReward.ID? { since.map { HeldReward.ID(rawValue: IDGenerator.first(at: $0) - 1) } }

    package init(
        rule: RewardRule.ID? = nil, addresses: [String]? = nil, networks: [String]? = nil, since: Timestamp? = nil
    ) {
        self.rule = rule
        self.addresses = addresses
        self.networks = networks
        self.since = since
    }
}

/// The number of rewards of a day that were dropped because a maximum of held rewards was reached.
package struct DroppedRewards: Sendable, Equatable {
    package let scope: Scope
    /// Days since 1970 in UTC.
    package let day: Int64
    package let dropped: Int64

    package init(scope: Scope, day: Int64, dropped: Int64) {
        self.scope = scope
        self.day = day
        self.dropped = dropped
    }
}

package protocol HeldRewardReader {
    /// The id of the last one of the next held rewards, up to `count`, whether they match or not; nil if there are none.
    func lastHeldReward(of scope: Scope, after id: HeldReward.ID?, count: Int) throws -> HeldReward.ID?
    /// The held rewards that match by rule and origin, oldest first, after an id and up to another one. Looks at all of these.
    func heldRewards(
        of scope: Scope, _ filter: HeldRewardFilter, after id: HeldReward.ID?, through last: HeldReward.ID, limit: Int
    ) throws -> [HeldReward]
    /// The number of held rewards, whichever they are.
    func heldRewardCount(of scope: Scope) throws -> Int
    /// A held reward; nil if it does not exist or is decided.
    func heldReward(_ id: HeldReward.ID, in scope: Scope) throws -> HeldReward?
    /// The rewards that one action earned for its actor and its referrer, decided or not, by the id of the first; empty if there is none.
    func heldRewards(beginningWith id: HeldReward.ID, in scope: Scope) throws -> [HeldReward]
    /// The number of rewards of a source that were held on a day.
    func heldRewards(from source: RewardOrigin.Source, in scope: Scope, on day: Int64) throws -> Int64
    /// The days with dropped rewards, starting at `day`, of one scope or, if nil, of all.
    func droppedRewards(of scope: Scope?, since day: Int64) throws -> [DroppedRewards]
}

package protocol HeldRewardRepository: HeldRewardReader {
    func insert(_ held: HeldReward) throws
    /// Increments a source's counter of held rewards. Returns false and changes nothing if it has reached `limit`.
    func countHeldReward(from source: RewardOrigin.Source, in scope: Scope, on day: Int64, limit: Int64) throws -> Bool
    /// Increments the counter of dropped rewards.
    func countDroppedReward(in scope: Scope, on day: Int64) throws
    /// Marks a held reward as decided. False if it does not exist or is decided.
    func decide(_ id: HeldReward.ID, in scope: Scope, isGranted: Bool) throws -> Bool
}
