import Linden
import LindenKernel
import LindenLedger

extension HeldReward {
    /// A reward that is held because of fraud signals or of a limit.
    ///
    /// - `id`: the held reward's id, a string.
    /// - `date`: a time in ISO 8601, UTC.
    /// - `identity`: the developer's id of the recipient, or its reference if it has none.
    /// - `event`: the name of the rewarded action.
    /// - `rule`: the id of the reward rule, a string.
    /// - `amount`, `bucket`: the credits of the rule and their bucket; null if the rule was deleted.
    /// - `address`, `network`: the client's address and network as they are stored; null if unknown.
    /// - `reasons`: the fraud signals of the device and the limits that were exceeded, an array of strings.
    ///
    /// - Parameters:
    ///   - recipient: the identity that would get the credits; nil if it was erased.
    ///   - rule: the rule that granted the reward; nil if it was deleted.
    package func view(recipient: Identity?, rule: RewardRule?, _ publicIDs: PublicIDs) -> JSONObject {
        [
            "id": .string(String(id.rawValue)), "date": .string(id.time.iso8601),
            "identity": JSON(recipient?.developerIdentity ?? publicIDs.reference(to: user)),
            "event": JSON(cause.eventName), "rule": .string(String(self.rule.rawValue)),
            "amount": rule.map { .integer($0.amount.value) } ?? .null, "bucket": JSON(rule?.bucket.name),
            "address": JSON(address), "network": JSON(network), "reasons": JSON(reasons),
        ]
    }
}
