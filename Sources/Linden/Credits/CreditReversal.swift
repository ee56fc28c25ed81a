extension Transaction {
    /// Moves back what a transaction moved, once.
    func reverse(
        _ id: CreditTransaction.ID, as kind: CreditTransaction.Kind, _ claims: [CreditClaim], in scope: Scope
    ) throws -> CreditTransaction.ID {
        guard let undone = try creditTransaction(id), undone.scope == scope else { throw Failure.noSuchTransaction(id) }
        switch undone.cause.source {
        case .reversal: throw Failure(.conflict, "\(id) is a reversal itself. What it undid can be done anew.")
        case .merge: throw Failure(.conflict, "\(id) moved a user's credits to whom he turned out to be; that cannot be undone.")
        case .rule, .code, .operator, .server, .sdk, .expiry: break
        }
        if let earlier = try creditClaim(CreditClaim.reversal(of: id).text, in: scope) {
            throw Failure(.conflict, "\(id) was reversed before, by \(earlier.transaction).")
        }
        var cause = CreditCause(.reversal)
        cause.undone = id
        let lines = try creditEntries(of: id).map { CreditLine($0.account.owner, $0.account.bucket, -$0.amount) }
        return try post(kind, lines, because: cause, claims: claims + [.reversal(of: id)], in: scope)
    }
}
