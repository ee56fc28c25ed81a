import Linden
import LindenKernel

extension Ledger {
    /// Reverses a transaction by one with the opposite postings, at most once.
    func reverse(
        _ id: CreditTransaction.ID, as kind: CreditTransaction.Kind, _ claims: [UniquenessKey], in scope: Scope
    ) throws -> CreditTransaction.ID {
        guard let undone = try transaction.creditTransaction(id), undone.scope == scope else { throw Failure.noSuchTransaction(id) }
        switch undone.cause.source {
        case .reversal: throw Failure(.conflict, "\(id) is itself a reversal: post the transaction again instead.")
        case .merge: throw Failure(.conflict, "\(id) moved a user's credits in a merge of users, which cannot be reversed.")
        case .rule, .code, .operator, .server, .sdk, .expiry: break
        }
        if let earlier = try transaction.creditClaim(UniquenessKey.reversal(of: id).text, in: scope) {
            throw Failure(.conflict, "\(id) was reversed before, by \(earlier.transaction).")
        }
        var cause = CreditCause(.reversal)
        cause.undone = id
        let lines = try transaction.creditEntries(of: id).map { try line(undoing: $0, of: undone) }
        return try post(kind, lines, because: cause, claims: claims + [.reversal(of: id)], in: scope)
    }

    /// Returns the posting that reverses an entry. Granted credits are taken from their own lot first; spent credits are returned with
    /// their original expiry. Credits that were taken because they had expired are returned without an expiry.
    private func line(undoing entry: CreditEntry, of undone: CreditTransaction) throws -> Posting {
        let (owner, bucket) = (entry.account.owner, entry.account.bucket)
        guard case .user = owner else { return Posting(owner, bucket, -entry.amount) }
        if entry.amount < 0 {
            return Posting(owner, bucket, -entry.amount, returning: undone.cause.source == .expiry ? nil : undone.id)
        }
        try expireCredits(of: entry.account.id)
        if let lot = try transaction.creditLot(of: undone.id, on: entry.account.id), lot.expiresAt <= transaction.now {
            throw Failure(.conflict, "The credits that \(undone.id) granted have expired: there is nothing to reverse.")
        }
        return Posting(owner, bucket, -entry.amount, from: undone.id)
    }
}
