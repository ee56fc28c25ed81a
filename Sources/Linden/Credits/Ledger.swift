/// The posting of transactions: the only way in which credits move.
extension Transaction {
    /// Writes a transaction with its postings, or nothing.
    ///
    /// Balances are changed first, each by one conditional statement that locks the account until the commit, and only then the id is
    /// assigned. Along an account, ids are therefore in the order of the balance changes.
    ///
    /// - Parameter claims: the uniqueness keys of the transaction, which must be free.
    /// - Throws: `insufficient` if an identity's balance is too low, `invalid` if it would become too high.
    @discardableResult
    func post(
        _ kind: CreditTransaction.Kind, _ lines: [Posting], because cause: CreditCause, claims: [UniquenessKey] = [],
        in scope: Scope
    ) throws -> CreditTransaction.ID {
        precondition(lines.reduce(0) { $0 + $1.amount } == 0, "The lines of a transaction sum to zero.")
        let changes = try lines.map { line in
            let account = try openCreditAccount(of: line.owner, line.bucket, in: scope)
            return (line: line, account: account, balance: try changeBalance(of: account, by: line))
        }
        let id: CreditTransaction.ID = try newID()
        try insert(CreditTransaction(id: id, scope: scope, kind: kind, cause: cause))
        for (line, account, balance) in changes {
            let entry = CreditEntry(transaction: id, account: account, amount: line.amount, balanceAfter: balance)
            try insert(entry)
            if let end = line.expiresAt { try insertExpiringCredits(line.amount, of: entry, at: end) }
            if let spend = line.reversedSpend { try restoreExpiringCredits(to: entry, takenBy: spend) }
            if line.amount < 0, balance != nil { try spendExpiringCredits(of: entry, first: line.sourceGrant) }
        }
        try take(claims, for: id, in: scope)
        return id
    }

    /// Changes the balance of an identity's account and returns it; nil for an account of the app.
    private func changeBalance(of account: CreditAccount, by line: Posting) throws -> Int64? {
        guard case .user(let user) = account.owner else { return nil }
        guard let balance = try changeCreditBalance(of: account.id, by: line.amount) else {
            let there = try creditBalance(of: user, in: line.bucket)
            throw line.amount < 0
                ? Failure.notEnoughCredits(there, in: line.bucket) : Failure.tooManyCredits(there, in: line.bucket)
        }
        return balance
    }
}

extension Failure {
    static func notEnoughCredits(_ there: Int64, in bucket: Bucket) -> Failure {
        Failure(.insufficient, "There are only \(there) credits in the bucket \(bucket.name).")
    }

    static func tooManyCredits(_ there: Int64, in bucket: Bucket) -> Failure {
        .invalid(
            "A balance may be at most \(CreditAmount.largest), and there are \(there) credits in the bucket \(bucket.name) already."
        )
    }
}
