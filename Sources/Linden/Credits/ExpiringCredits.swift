/// What is left of credits that have ended.
package struct ExpiredCredits: Sendable {
    package let user: Identity.ID
    package let scope: Scope
    package let bucket: Bucket
    package let remaining: Int64

    package init(user: Identity.ID, scope: Scope, bucket: Bucket, remaining: Int64) {
        self.user = user
        self.scope = scope
        self.bucket = bucket
        self.remaining = remaining
    }
}

extension Transaction {
    /// Takes back what has ended, of one user's bucket or of everybody's; at most `limit` of them.
    func expireCredits(of account: CreditAccount.ID? = nil, limit: Int = 1000) throws {
        for ended in try expiredCredits(of: account, at: now, limit: limit) {
            // Posting spends what ends first, and that is this.
            try post(
                .correction,
                [
                    CreditLine(.user(ended.user), ended.bucket, -ended.remaining),
                    CreditLine(.app(.withdrawn), ended.bucket, ended.remaining),
                ], because: CreditCause(.expiry), in: ended.scope)
        }
    }
}
