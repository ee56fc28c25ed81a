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
    /// What is left of credits that have ended, of one account or of all; what ended first comes first.
    func expiredCredits(of account: CreditAccount.ID?, at time: Timestamp, limit: Int) throws -> [ExpiredCredits]
}

package protocol CreditRepository: CreditReader {
    /// The account of an owner, made if it is new.
    func openCreditAccount(of owner: CreditAccount.Owner, _ bucket: Bucket, in scope: Scope) throws -> CreditAccount
    /// Adds to a user's balance and returns the new one; nil, and nothing is changed, if it would leave 0...``CreditAmount/largest``.
    func changeCreditBalance(of account: CreditAccount.ID, by amount: Int64) throws -> Int64?
    func insert(_ transaction: CreditTransaction) throws
    func insert(_ entry: CreditEntry) throws
    /// False if the claim is taken. It may be for a held reward or a rule too: their ids are made as those of transactions are.
    func claim(_ claim: String, in scope: Scope, for transaction: CreditTransaction.ID, asked: String?) throws -> Bool

    /// Notes that credits end at a time.
    func insertExpiringCredits(_ amount: Int64, of entry: CreditEntry, at time: Timestamp) throws
    /// Takes what an entry takes from its account's credits that end, as far as there are any: first from those that one transaction gave, then
    /// from those that end first. Notes which they were.
    func spendExpiringCredits(of entry: CreditEntry, first given: CreditTransaction.ID?) throws
    /// Gives an entry's account back the credits that end that another transaction took from it, with their ends.
    func restoreExpiringCredits(to entry: CreditEntry, takenBy transaction: CreditTransaction.ID) throws
    /// When what a transaction gave to an account ends; nil if it does not.
    func end(of transaction: CreditTransaction.ID, on account: CreditAccount.ID) throws -> Timestamp?
    /// Gives the credits of one account that end to another.
    func moveExpiringCredits(of account: CreditAccount.ID, to other: CreditAccount.ID) throws
}
