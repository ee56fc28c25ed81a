/// The remainder of an expired lot of credits.
package struct ExpiredCredits: Sendable {
    /// The transaction that granted the credits.
    package let grant: CreditTransaction.ID
    package let user: Identity.ID
    package let scope: Scope
    package let bucket: Bucket
    package let remaining: Int64

    package init(grant: CreditTransaction.ID, user: Identity.ID, scope: Scope, bucket: Bucket, remaining: Int64) {
        self.grant = grant
        self.user = user
        self.scope = scope
        self.bucket = bucket
        self.remaining = remaining
    }
}

extension Reader {
    /// Whether any expired credits remain, apart from those that cannot be taken back.
    func hasExpiredCredits(except stuck: Set<CreditTransaction.ID>) throws -> Bool {
        try expiredCredits(of: nil, at: now, limit: stuck.count + 1).contains { !stuck.contains($0.grant) }
    }
}

extension Transaction {
    /// Takes back the expired credits of one account.
    func expireCredits(of account: CreditAccount.ID) throws {
        for ended in try expiredCredits(of: account, at: now, limit: 1000) { try expire(ended) }
    }

    /// Takes back the expired credits of all accounts, at most `limit` lots.
    ///
    /// - Parameter stuck: the lots that could not be taken back before.
    /// - Returns: these and the lots that could not be taken back now, because the account's balance is lower. That means that the ledger
    ///   was modified from outside (`linden verify`).
    func expireCredits(limit: Int, except stuck: Set<CreditTransaction.ID>) throws -> Set<CreditTransaction.ID> {
        var stuck = stuck
        for ended in try expiredCredits(of: nil, at: now, limit: limit + stuck.count) where !stuck.contains(ended.grant) {
            do {
                try expire(ended)
            } catch let failure as Failure where failure.code == .insufficient {
                stuck.insert(ended.grant)
            }
        }
        return stuck
    }

    private func expire(_ ended: ExpiredCredits) throws {
        try post(
            .correction,
            [
                Posting(.user(ended.user), ended.bucket, -ended.remaining, from: ended.grant),
                Posting(.app(.withdrawn), ended.bucket, ended.remaining),
            ], because: CreditCause(.expiry), in: ended.scope)
    }
}
