import Linden
import LindenKernel

/// A rule that grants credits to identities for their actions.
package struct RewardRule: Sendable {
    package typealias ID = Identifier<RewardRule>

    /// The recipient of a reward: the identity that acted, or the one that referred it.
    package enum Recipient: String, Sendable, CaseIterable {
        case actor, referrer
        case actorIfReferred = "actor-if-referred"
        /// The actor and the referrer; no reward if the actor was not referred.
        case both
    }

    /// The maximum length of an event's name in characters: Branch's limit.
    package static let longestEvent = 63
    /// The maximum number of members of a filter, and of its bytes as JSON. Every rule of an event is read for each such event.
    static let mostFilterMembers = 20
    static let mostFilterBytes = 2048
    /// The maximum number of rules of an app's mode for one event, and for all events.
    static let mostOfEvent = 20
    static let mostOfScope = 1000

    package let id: ID
    package let scope: Scope
    /// `install`, `open` or the name of a reported event, normalized as ``EventName``.
    package let event: String
    /// The members that the event's metadata must contain.
    package let filter: JSONObject
    package let recipient: Recipient
    /// Whether only the first action of each identity and each device is rewarded.
    package let isFirstOnly: Bool
    package let amount: CreditAmount
    package let bucket: Bucket
    package let caps: RewardCaps
    /// The lifetime of the credits in days; nil if they do not expire.
    package let daysValid: Int64?
    package let isPaused: Bool

    package init(
        id: ID, scope: Scope, event: String, filter: JSONObject, recipient: Recipient, isFirstOnly: Bool, amount: CreditAmount,
        bucket: Bucket, caps: RewardCaps, daysValid: Int64?, isPaused: Bool
    ) {
        self.id = id
        self.scope = scope
        self.event = event
        self.filter = filter
        self.recipient = recipient
        self.isFirstOnly = isFirstOnly
        self.amount = amount
        self.bucket = bucket
        self.caps = caps
        self.daysValid = daysValid
        self.isPaused = isPaused
    }

    /// Whether the rule rewards each device at most once. Always true for installs, because an app can be reinstalled any number of times.
    var isOncePerDevice: Bool { isFirstOnly || event == RewardedAction.install }
}

/// The maximum number of rewards of a rule for one identity.
package struct RewardCaps: Sendable {
    /// The maximum per UTC day.
    package var perDay: Int64?
    package var perUser: Int64?

    package init(perDay: Int64? = nil, perUser: Int64? = nil) {
        self.perDay = perDay
        self.perUser = perUser
    }
}

/// A request to create a rule.
package struct NewRewardRule: Sendable {
    package var event: String
    package var filter: JSONObject = [:]
    package var recipient: RewardRule.Recipient
    package var isFirstOnly = false
    package var amount: CreditAmount
    package var bucket: Bucket = .standard
    package var caps = RewardCaps()
    package var daysValid: Int64?

    package init(event: String, recipient: RewardRule.Recipient, amount: CreditAmount) {
        self.event = event
        self.recipient = recipient
        self.amount = amount
    }

    func check() throws {
        guard (1...RewardRule.longestEvent).contains(event.unicodeScalars.count),
            !event.unicodeScalars.contains(where: { $0.value < 0x20 })
        else {
            throw Failure.invalid("event must have 1 to \(RewardRule.longestEvent) characters and no control characters.")
        }
        for (key, value) in filter where value.scalarText == nil {
            throw Failure.invalid("filter must compare with texts, numbers and booleans, but \(key) is \(value.kind).")
        }
        guard filter.count <= RewardRule.mostFilterMembers, JSON.object(filter).bytes.count <= RewardRule.mostFilterBytes else {
            throw Failure.invalid(
                "filter may have at most \(RewardRule.mostFilterMembers) members and \(RewardRule.mostFilterBytes) bytes.")
        }
        for (name, field, value) in [
            ("A cap per day", "cap_per_day", caps.perDay), ("A cap per user", "cap_per_user", caps.perUser),
        ] {
            guard value.map({ $0 > 0 }) ?? true else { throw Failure.invalid("\(name) must be a whole number above 0.", at: field) }
        }
        guard daysValid.map({ (1...36_500).contains($0) }) ?? true else {
            throw Failure.invalid("Credits may be valid for 1 to 36500 days.", at: "days_valid")
        }
    }
}
