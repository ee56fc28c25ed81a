import Linden
import LindenKernel

/// A read-write transaction, as far as the posting of credits needs it: accounts, lots and claims, the time, and the ids of
/// rows.
package protocol PostingTransaction: CreditRepository, SnapshotReader, IDSource {}

/// The ledger within a transaction: the only way in which credits move.
struct Ledger {
    let transaction: any PostingTransaction

    /// Writes a transaction with its postings, or nothing.
    ///
    /// Balances are changed first, each by one conditional statement that locks the account until the commit, and only then the id is
    /// assigned. Along an account, ids are therefore in the order of the balance changes.
    ///
    /// - Parameter claims: the uniqueness keys of the transaction, which must be free.
    /// - Throws: `insufficient` if an identity's balance is too low, `invalid` if it would become too high, `conflict` if the identity
    ///   would get more buckets than ``Bucket/mostOfUser``, or if more lots than ``mostLots`` would be consumed.
    @discardableResult
    func post(
        _ kind: CreditTransaction.Kind, _ lines: [Posting], because cause: CreditCause, claims: [UniquenessKey] = [],
        in scope: Scope
    ) throws -> CreditTransaction.ID {
        precondition(lines.reduce(0) { $0 + $1.amount } == 0, "The lines of a transaction sum to zero.")
        let changes = try lines.map { line in
            let account = try account(of: line.owner, line.bucket, in: scope)
            return (line: line, account: account, balance: try changeBalance(of: account, by: line))
        }
        let id: CreditTransaction.ID = try transaction.newID()
        try transaction.insert(CreditTransaction(id: id, scope: scope, kind: kind, cause: cause))
        for (line, account, balance) in changes {
            let entry = CreditEntry(transaction: id, account: account, amount: line.amount, balanceAfter: balance)
            try transaction.insert(entry)
            if let end = line.expiresAt { try transaction.insertExpiringCredits(line.amount, of: entry, at: end) }
            if let spend = line.reversedSpend { try transaction.restoreExpiringCredits(to: entry, takenBy: spend) }
            if line.amount < 0, balance != nil { try consumeLots(for: entry, first: line.sourceGrant) }
        }
        try take(claims, for: id, in: scope)
        return id
    }

    /// Returns the account of an owner in a bucket, created if there is none and the owner may have one more.
    private func account(of owner: CreditAccount.Owner, _ bucket: Bucket, in scope: Scope) throws -> CreditAccount {
        if let id = try transaction.creditAccount(of: owner, bucket, in: scope) {
            return CreditAccount(id: id, owner: owner, bucket: bucket)
        }
        if case .user(let user) = owner, try transaction.bucketCount(of: user) >= Bucket.mostOfUser {
            throw Failure.tooManyBuckets(bucket)
        }
        return try transaction.openCreditAccount(of: owner, bucket, in: scope)
    }

    /// Whether an amount may be added to an identity's balance in a bucket: the balance does not become too large, and the identity does
    /// not get more buckets than ``Bucket/mostOfUser``.
    func canAdd(_ amount: Int64, to user: Identity.ID, in bucket: Bucket, _ scope: Scope) throws -> Bool {
        let balance = try transaction.creditBalance(of: user, in: bucket)
        if balance > 0 { return balance <= CreditAmount.largest - amount }
        return try transaction.creditAccount(of: .user(user), bucket, in: scope) != nil
            || transaction.bucketCount(of: user) < Bucket.mostOfUser
    }

    /// Changes the balance of an identity's account and returns it; nil for an account of the app.
    private func changeBalance(of account: CreditAccount, by line: Posting) throws -> Int64? {
        guard case .user(let user) = account.owner else { return nil }
        guard let balance = try transaction.changeCreditBalance(of: account.id, by: line.amount) else {
            let there = try transaction.creditBalance(of: user, in: line.bucket)
            throw line.amount < 0
                ? Failure.notEnoughCredits(there, in: line.bucket) : Failure.tooManyCredits(there, in: line.bucket)
        }
        return balance
    }

    /// The maximum number of lots that one entry consumes. Each is a row that is written, and another one if the entry is reversed.
    static let mostLots = 500

    /// Consumes the account's lots for an entry that takes credits: the lot of `grant` first, then by earliest expiry, of equal
    /// ones the one granted first. Credits that never expire are spent last, so an entry may consume less than its amount. Fails with
    /// `conflict` beyond ``mostLots``.
    private func consumeLots(for entry: CreditEntry, first grant: CreditTransaction.ID?) throws {
        var left = -entry.amount
        if let grant, let lot = try transaction.creditLot(of: grant, on: entry.account.id), lot.remaining > 0 {
            left -= try consume(left, of: lot, for: entry)
        }
        guard left > 0 else { return }
        let lots = try transaction.expiringLots(on: entry.account.id, limit: Self.mostLots + 1)
        let whole = lots.prefix { lot in
            guard lot.remaining <= left else { return false }
            left -= lot.remaining
            return true
        }
        guard whole.count <= Self.mostLots else { throw Failure.tooManyLots }
        if let last = whole.last { try transaction.consumeLots(through: last, for: entry) }
        if left > 0, whole.count < lots.count { _ = try consume(left, of: lots[whole.count], for: entry) }
    }

    /// Consumes up to `amount` of a lot, and returns the amount consumed.
    private func consume(_ amount: Int64, of lot: CreditLot, for entry: CreditEntry) throws -> Int64 {
        let consumed = min(amount, lot.remaining)
        try transaction.consume(consumed, of: lot, for: entry)
        return consumed
    }

    // MARK: Uniqueness keys

    func isTaken(_ claim: UniquenessKey, in scope: Scope) throws -> Bool {
        try transaction.creditClaim(claim.text, in: scope) != nil
    }

    /// Records claims. Fails with `unavailable` if a concurrent transaction has taken one of them.
    func take(_ claims: [UniquenessKey], for id: CreditTransaction.ID, in scope: Scope) throws {
        for claim in claims where try !transaction.claim(claim.text, in: scope, for: id, asked: claim.asked) {
            throw Failure.unavailable("The same request is being executed; please try again.")
        }
    }

    // MARK: Expiry

    /// The maximum number of expired lots that one transaction takes back. Each takes several statements, for which all other writers wait.
    static let expiredPerTransaction = 50

    /// Takes back the expired credits of an account from which credits are about to be taken. Fails with `unavailable` if the account has
    /// more than ``expiredPerTransaction`` expired lots, since those left would be spent.
    func expireCredits(of account: CreditAccount.ID) throws {
        guard try !expireSomeCredits(of: account) else {
            throw Failure.unavailable("Many credits of this user have just expired; please try again.")
        }
    }

    /// Takes back expired credits of an account, at most ``expiredPerTransaction`` lots. Returns whether there are more.
    func expireSomeCredits(of account: CreditAccount.ID) throws -> Bool {
        let expired = try transaction.expiredCredits(of: account, at: transaction.now, limit: Self.expiredPerTransaction + 1)
        for ended in expired.prefix(Self.expiredPerTransaction) { try expire(ended) }
        return expired.count > Self.expiredPerTransaction
    }

    /// Takes back the expired credits of all accounts, at most `limit` lots.
    ///
    /// - Parameter stuck: the lots that could not be taken back before.
    /// - Returns: these and the lots that could not be taken back now, because the account's balance is lower. That means that the ledger
    ///   was modified from outside (`linden verify`).
    func expireCredits(limit: Int, except stuck: Set<CreditTransaction.ID>) throws -> Set<CreditTransaction.ID> {
        var stuck = stuck
        let expired = try transaction.expiredCredits(of: nil, at: transaction.now, limit: limit + stuck.count)
        for ended in expired where !stuck.contains(ended.grant) {
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

extension Failure {
    static func notEnoughCredits(_ there: Int64, in bucket: Bucket) -> Failure {
        Failure(.insufficient, "There are only \(there) credits in the bucket \(bucket.name).", at: ["amount"])
    }

    static func tooManyCredits(_ there: Int64, in bucket: Bucket) -> Failure {
        .invalid(
            "A balance may be at most \(CreditAmount.largest), and there are \(there) credits in the bucket \(bucket.name) already.",
            at: "amount")
    }

    fileprivate static let tooManyLots = Failure(
        .conflict,
        "The credits come from more than \(Ledger.mostLots) grants that expire. Take them in several calls, with a lower amount each.",
        at: ["amount"])

    fileprivate static func tooManyBuckets(_ bucket: Bucket) -> Failure {
        Failure(
            .conflict,
            """
            The user has \(Bucket.mostOfUser) buckets of credits, which is the limit, and none of them is \(bucket.name). Use one of these \
            buckets.
            """, at: ["bucket"])
    }
}
