import Linden
import LindenKernel
import LindenLedger

extension CreditRecord {
    /// An entry of an identity's credit history.
    ///
    /// - `transaction`: the transaction's id, a string.
    /// - `date`: a time in ISO 8601, UTC.
    /// - `kind`: `reward`, `grant`, `redemption`, `fraud` or `correction`.
    /// - `bucket`: the bucket of the credits.
    /// - `amount`: credits; negative if they were taken.
    /// - `balance`: the credits in the bucket after the transaction.
    /// - `source`: what caused the transaction, such as `rule` or `operator`.
    /// - `event`: the name of the rewarded action or the cause given by a server; null if there is none.
    /// - `rule`: the id of the reward rule; null without one.
    /// - `referrer`, `referree`: the developer's id of the counterparty; null if there is none.
    /// - `reverses`: the id of the transaction that this one reverses; null if it reverses none.
    package var view: JSONObject {
        let cause = transaction.cause
        return [
            "transaction": .string(String(transaction.id.rawValue)), "date": .string(transaction.id.time.iso8601),
            "kind": .string(transaction.kind.name), "bucket": .string(bucket.name), "amount": .integer(amount),
            "balance": .integer(balanceAfter), "source": .string(cause.source.rawValue), "event": JSON(cause.eventName),
            "rule": JSON(cause.rule.map { String($0.rawValue) }), "referrer": JSON(referrer), "referree": JSON(referree),
            "reverses": JSON(cause.undone.map { String($0.rawValue) }),
        ]
    }
}
