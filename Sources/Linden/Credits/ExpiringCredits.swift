/// What is left of credits that have ended.
package struct ExpiredCredits: Sendable {
    /// The transaction that gave them.
    package let given: CreditTransaction.ID
    package let user: Identity.ID
    package let scope: Scope
    package let bucket: Bucket
    package let remaining: Int64

    package init(given: CreditTransaction.ID, user: Identity.ID, scope: Scope, bucket: Bucket, remaining: Int64) {
        self.given = given
        self.user = user
        self.scope = scope
        self.bucket = bucket
        self.remaining = remaining
    }
}

extension Reader {
    /// Whether any credits have ended and are still there, but for those that cannot be taken back.
    func hasExpiredCredits(except stuck: Set<CreditTransaction.ID>) throws -> Bool {
        try expiredCredits(of: nil, at: now, limit: stuck.count + 1).contains { !stuck.contains($0.given) }
    }
}

extension Transaction {
    /// Takes back what has ended of one user's bucket.
    func expireCredits(of account: CreditAccount.ID) throws {
        for ended in try expiredCredits(of: account, at: now, limit: 1000) { try expire(ended) }
    }

    /// The same for everybody's; at most `limit` of them.
    ///
    /// - Parameter stuck: those that could not be taken back before.
    /// - Returns: those and what cannot be taken back either, since its account has less: books that somebody has changed (`linden verify`).
    func expireCredits(limit: Int, except stuck: Set<CreditTransaction.ID>) throws -> Set<CreditTransaction.ID> {
        var stuck = stuck
        for ended in try expiredCredits(of: nil, at: now, limit: limit + stuck.count) where !stuck.contains(ended.given) {
            do {
                try expire(ended)
            } catch let failure as Failure where failure.code == .insufficient {
                stuck.insert(ended.given)
            }
        }
        return stuck
    }

    private func expire(_ ended: ExpiredCredits) throws {
        try post(
            .correction,
            [
                CreditLine(.user(ended.user), ended.bucket, -ended.remaining, from: ended.given),
                CreditLine(.app(.withdrawn), ended.bucket, ended.remaining),
            ], because: CreditCause(.expiry), in: ended.scope)
    }
}
