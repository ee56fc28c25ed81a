import Linden
import LindenKernel

package protocol CreditReader {
    /// An identity's buckets with their balances, by name.
    func creditBalances(of user: Identity.ID) throws -> [(bucket: Bucket, balance: Int64)]
    /// The number of an identity's buckets, also of those whose balance is zero.
    func bucketCount(of user: Identity.ID) throws -> Int
    /// An identity's balance in a bucket; zero without an account.
    func creditBalance(of user: Identity.ID, in bucket: Bucket) throws -> Int64
    /// The account of an owner in a bucket; nil if there is none.
    func creditAccount(of owner: CreditAccount.Owner, _ bucket: Bucket, in scope: Scope) throws -> CreditAccount.ID?
    /// Whether a bucket is known in a scope: credits were posted in it, or a rule or code grants them.
    func hasBucket(_ bucket: Bucket, in scope: Scope) throws -> Bool
    func creditTransaction(_ id: CreditTransaction.ID) throws -> CreditTransaction?
    /// The entries of a transaction, those of identities before those of the app.
    func creditEntries(of transaction: CreditTransaction.ID) throws -> [CreditEntry]
    /// The effect of a transaction on an identity; of several buckets, the first.
    func creditRecord(of transaction: CreditTransaction.ID, for user: Identity.ID) throws -> CreditRecord?
    func creditHistory(_ query: CreditHistoryQuery, of user: Identity.ID) throws -> [CreditRecord]
    /// The transaction that a claim was recorded for, with the request's fingerprint; nil if the claim is free.
    func creditClaim(_ claim: String, in scope: Scope) throws -> (transaction: CreditTransaction.ID, asked: String?)?
    /// The remainders of expired lots of one account, or of all if nil, in the order of their expiry.
    func expiredCredits(of account: CreditAccount.ID?, at time: Timestamp, limit: Int) throws -> [ExpiredCredits]
}

package protocol CreditRepository: CreditReader {
    /// The account of an owner in a bucket, created if there is none. Not limited, see ``Bucket/mostOfUser``.
    func openCreditAccount(of owner: CreditAccount.Owner, _ bucket: Bucket, in scope: Scope) throws -> CreditAccount
    /// Adds to an identity's balance and returns the new one. Returns nil and changes nothing if the balance would leave
    /// 0...``CreditAmount/largest``.
    func changeCreditBalance(of account: CreditAccount.ID, by amount: Int64) throws -> Int64?
    func insert(_ transaction: CreditTransaction) throws
    func insert(_ entry: CreditEntry) throws
    /// Records a claim; false if it is taken. The id may also be that of a held reward, a rule or a code: they share the id space of
    /// transactions.
    func claim(_ claim: String, in scope: Scope, for transaction: CreditTransaction.ID, asked: String?) throws -> Bool
    /// Makes a claim that is taken another transaction's.
    func moveClaim(_ claim: String, in scope: Scope, to transaction: CreditTransaction.ID) throws

    /// Records a lot: the credits of an entry that expire at a time.
    func insertExpiringCredits(_ amount: Int64, of entry: CreditEntry, at time: Timestamp) throws
    /// The lot that a transaction created on an account, even if all of it is consumed; nil if there is none.
    func creditLot(of grant: CreditTransaction.ID, on account: CreditAccount.ID) throws -> CreditLot?
    /// The lots of an account that are not consumed, by earliest expiry; of equal ones, the one granted first.
    func expiringLots(on account: CreditAccount.ID, limit: Int) throws -> [CreditLot]
    /// Takes all that is left of a lot of the entry's account and of those before it, and records the consumption.
    func consumeLots(through last: CreditLot, for entry: CreditEntry) throws
    /// Takes `amount`, at most the remainder, from a lot of the entry's account, and records the consumption.
    func consume(_ amount: Int64, of lot: CreditLot, for entry: CreditEntry) throws
    /// Returns the credits that another transaction consumed from expiring lots to the entry's account, with their original expiry, and
    /// deletes the records of it.
    func restoreExpiringCredits(to entry: CreditEntry, takenBy transaction: CreditTransaction.ID) throws
    /// Moves the expiring lots of one account to another.
    func moveExpiringCredits(of account: CreditAccount.ID, to other: CreditAccount.ID) throws
}
