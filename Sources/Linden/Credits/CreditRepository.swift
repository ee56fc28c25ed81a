package protocol CreditReader {
    /// A user's buckets with their balances, by name.
    func creditBalances(of user: Identity.ID) throws -> [(bucket: Bucket, balance: Int64)]
    /// What a user has in a bucket; zero if he never had any.
    func creditBalance(of user: Identity.ID, in bucket: Bucket) throws -> Int64
    /// Whether anybody of a scope ever had credits in a bucket, or may come to them.
    func hasBucket(_ bucket: Bucket, in scope: Scope) throws -> Bool
    func creditTransaction(_ id: CreditTransaction.ID) throws -> CreditTransaction?
    /// The lines of a transaction, those of users first.
    func creditEntries(of transaction: CreditTransaction.ID) throws -> [CreditEntry]
    /// What a transaction did to a user; his first bucket's line, if it has several.
    func creditRecord(of transaction: CreditTransaction.ID, for user: Identity.ID) throws -> CreditRecord?
    func creditHistory(_ query: CreditHistoryQuery, of user: Identity.ID) throws -> [CreditRecord]
    /// What a claim was used for; nil if it is free.
    func creditClaim(_ claim: String, in scope: Scope) throws -> (transaction: CreditTransaction.ID, asked: String?)?
    /// Whether any credits have ended and are still there.
    func hasExpiredCredits(at time: Timestamp) throws -> Bool
}

package protocol CreditRepository: CreditReader {
    /// The account of an owner, made if it is new.
    func openCreditAccount(of owner: CreditAccount.Owner, _ bucket: Bucket, in scope: Scope) throws -> CreditAccount
    /// Adds to a user's balance and returns the new one; nil, and nothing is changed, if it would leave 0...``CreditAmount/largest``.
    func changeCreditBalance(of account: CreditAccount.ID, by amount: Int64) throws -> Int64?
    func insert(_ transaction: CreditTransaction) throws
    func insert(_ entry: CreditEntry) throws
    /// False if the claim is taken.
    func claim(_ claim: String, in scope: Scope, for transaction: CreditTransaction.ID, asked: String?) throws -> Bool

    /// Notes that credits end at a time.
    func insertExpiringCredits(_ amount: Int64, of entry: CreditEntry, at time: Timestamp) throws
    /// Takes so much from an account's credits that end, those that end first before others.
    func spendExpiringCredits(_ amount: Int64, of account: CreditAccount.ID) throws
    /// Gives the credits of one account that end to another.
    func moveExpiringCredits(of account: CreditAccount.ID, to other: CreditAccount.ID) throws
    /// What is left of credits that have ended, of one account or of all.
    func expiredCredits(of account: CreditAccount.ID?, at time: Timestamp, limit: Int) throws -> [ExpiredCredits]
}
