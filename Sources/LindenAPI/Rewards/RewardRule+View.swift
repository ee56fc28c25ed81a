import LindenKernel
import LindenLedger

extension RewardRule {
    /// A reward rule.
    ///
    /// - `id`: the rule's id, a string.
    /// - `event`: the rewarded action: `install`, `open` or the name of an event.
    /// - `filter`: the members that the event's metadata must contain.
    /// - `reward`: the recipient: `actor`, `referrer`, `actor-if-referred` or `both`.
    /// - `amount`: credits per reward.
    /// - `bucket`: the bucket of the credits.
    /// - `first_only`: whether only the first action of an identity and a device is rewarded.
    /// - `cap_per_day`, `cap_per_user`: the maximum number of rewards of an identity, per UTC day and in total; null without a limit.
    /// - `days_valid`: the lifetime of the credits in days; null if they do not expire.
    /// - `paused`: whether the rule is paused.
    package var view: JSONObject {
        [
            "id": .string(String(id.rawValue)), "event": .string(event), "filter": .object(filter),
            "reward": .string(recipient.rawValue), "amount": .integer(amount.value), "bucket": .string(bucket.name),
            "first_only": .bool(isFirstOnly), "cap_per_day": caps.perDay.map(JSON.integer) ?? .null,
            "cap_per_user": caps.perUser.map(JSON.integer) ?? .null, "days_valid": daysValid.map(JSON.integer) ?? .null,
            "paused": .bool(isPaused),
        ]
    }
}
