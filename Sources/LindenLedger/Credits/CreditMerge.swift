import Linden
import LindenKernel

/// The merge of an anonymous identity's credits into a known identity's.
struct CreditMerge {
    let transaction: any GrantingTransaction

    /// Moves the credits of an anonymous identity to a known one, if the app allows it (`credits.merge_on_login`). At most once per
    /// anonymous identity: otherwise each reinstallation of the app could carry its rewards over. A bucket whose merged balance would be
    /// too large stays as it is. So do those with which all that is moved would have more lots than ``Ledger/mostLots``, and those for which
    /// the known identity would get more buckets than ``Bucket/mostOfUser``: buckets that it has come first, then further ones by name. The
    /// login succeeds in any case.
    func mergeCredits(of anonymous: Identity, into known: Identity) throws {
        let ledger = Ledger(transaction: transaction)
        let balances = try transaction.creditBalances(of: anonymous.id).filter { $0.balance > 0 }
        guard !balances.isEmpty, try transaction.app(anonymous.scope.app)?.configuration.credits.mergeOnLogin == true else {
            return
        }
        let claim = UniquenessKey.merge(of: anonymous.id)
        guard try !ledger.isTaken(claim, in: anonymous.scope) else { return }
        let there = Dictionary(
            uniqueKeysWithValues: try transaction.creditBalances(of: known.id).map { ($0.bucket, $0.balance) })
        let fitting =
            balances.filter { bucket, balance in there[bucket].map { $0 <= CreditAmount.largest - balance } ?? false }
            + balances.filter { there[$0.bucket] == nil }.prefix(max(0, Bucket.mostOfUser - there.count))
        var lots = 0
        let movable = try fitting.filter { bucket, _ in
            let account = try transaction.openCreditAccount(of: .user(anonymous.id), bucket, in: known.scope)
            let moved = lots + (try transaction.expiringLots(on: account.id, limit: Ledger.mostLots - lots + 1).count)
            guard moved <= Ledger.mostLots else { return false }
            lots = moved
            return true
        }
        guard !movable.isEmpty else { return }
        for (bucket, _) in movable {
            // Expiring credits keep their dates on the new account.
            try transaction.moveExpiringCredits(
                of: try transaction.openCreditAccount(of: .user(anonymous.id), bucket, in: known.scope).id,
                to: try transaction.openCreditAccount(of: .user(known.id), bucket, in: known.scope).id)
        }
        // Rewards of the anonymous identity count against the caps of the known one; otherwise a login would reset the caps.
        try transaction.addRewardCounts(of: anonymous.id, to: known.id)
        try ledger.post(
            .correction,
            movable.flatMap { bucket, balance in
                [Posting(.user(anonymous.id), bucket, -balance), Posting(.user(known.id), bucket, balance)]
            }, because: CreditCause(.merge), claims: [claim], in: anonymous.scope)
    }
}
