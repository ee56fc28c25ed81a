import Linden
import LindenKernel
import LindenLedger
import LindenServices

extension SQLTransaction {
    package func creditAccounts(of user: Identity.ID) throws -> [CreditAccount.ID] {
        try connection.query("SELECT id FROM credit_accounts WHERE identity_id = \(user)") { $0.id(0) }
    }

    package func creditTransactions(of account: CreditAccount.ID, after id: CreditTransaction.ID?, limit: Int) throws
        -> [CreditTransaction.ID]
    {
        try connection.query(
            """
            SELECT transaction_id FROM credit_entries WHERE account_id = \(account) AND transaction_id > \(id?.rawValue ?? 0)
            ORDER BY transaction_id LIMIT \(limit)
            """
        ) { $0.id(0) }
    }

    package func uniquenessKeys(of scope: Scope, after claim: String, limit: Int) throws -> [PersonalUniquenessKey] {
        try connection.query(
            """
            SELECT claim, asked, transaction_id FROM credit_uniqueness_keys
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND claim > \(claim) ORDER BY claim LIMIT \(limit)
            """
        ) { PersonalUniquenessKey(text: $0.text(0), asked: $0.optionalText(1), row: $0.integer(2)) }
    }

    package func replaceCause(of transaction: CreditTransaction.ID, by cause: CreditCause) throws {
        let (referrer, referree) = cause.parties
        try connection.execute(
            """
            UPDATE credit_transactions SET session_id = \(cause.session), event_id = \(cause.event), event_name = \(cause.eventName),
                metadata = \(cause.metadata.map(JSON.object)), referrer_id = \(referrer), referree_id = \(referree)
            WHERE id = \(transaction)
            """)
    }

    package func eraseUniquenessKeys(_ claims: [String], in scope: Scope) throws {
        for claim in claims {
            try connection.execute(
                "DELETE FROM credit_uniqueness_keys WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND claim = \(claim)")
        }
    }

    package func moveCreditAccounts(of user: Identity.ID, to other: Identity.ID) throws {
        try connection.execute("UPDATE credit_accounts SET identity_id = \(other) WHERE identity_id = \(user)")
    }

    package func eraseRewardCounts(of user: Identity.ID) throws {
        try connection.execute("DELETE FROM reward_counts WHERE identity_id = \(user)")
    }
}
