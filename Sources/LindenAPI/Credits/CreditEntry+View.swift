import Linden
import LindenKernel
import LindenLedger

extension CreditEntry {
    /// The user's entry of a reversal.
    ///
    /// - `transaction`: the id of the reversal, a string.
    /// - `reverses`: the id of the transaction that it reverses, a string.
    /// - `bucket`: the bucket of the credits.
    /// - `amount`: credits; negative if they were taken.
    /// - `balance`: the credits in the bucket after the reversal; null for an app's account.
    package func view(reversing id: CreditTransaction.ID) -> JSONObject {
        [
            "transaction": .string(String(transaction.rawValue)), "reverses": .string(String(id.rawValue)),
            "bucket": .string(account.bucket.name), "amount": .integer(amount),
            "balance": balanceAfter.map(JSON.integer) ?? .null,
        ]
    }
}
