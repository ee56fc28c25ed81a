/// An anonymous user turned out to be one who is known.
extension Transaction {
    /// Moves his credits to that one, if the app wants it (`credits.merge_on_login`), once: otherwise whoever reinstalls the app would take
    /// his rewards along each time.
    func mergeCredits(of anonymous: Identity, into known: Identity) throws {
        guard anonymous.developerIdentity == nil else { return }
        let balances = try creditBalances(of: anonymous.id).filter { $0.balance > 0 }
        guard !balances.isEmpty, try app(anonymous.scope.app)?.configuration.credits.mergeOnLogin == true else { return }
        let claim = CreditClaim.merge(of: anonymous.id)
        guard try !isTaken(claim, in: anonymous.scope) else { return }
        let movable = try balances.filter { bucket, balance in
            try creditBalance(of: known.id, in: bucket) <= CreditAmount.largest - balance
        }
        guard !movable.isEmpty else { return }
        for (bucket, _) in movable {
            // What ends goes on to end with its new owner.
            try moveExpiringCredits(
                of: try openCreditAccount(of: .user(anonymous.id), bucket, in: known.scope).id,
                to: try openCreditAccount(of: .user(known.id), bucket, in: known.scope).id)
        }
        // What a rule gave to the one counts for the other too, or its caps would end with a login.
        try addRewardCounts(of: anonymous.id, to: known.id)
        try post(
            .correction,
            movable.flatMap { bucket, balance in
                [CreditLine(.user(anonymous.id), bucket, -balance), CreditLine(.user(known.id), bucket, balance)]
            }, because: CreditCause(.merge), claims: [claim], in: anonymous.scope)
    }
}
