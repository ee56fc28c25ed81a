import Linden
import LindenKernel
import LindenLedger

extension SQLTransaction {
    // MARK: Accounts

    package func creditBalances(of user: Identity.ID) throws -> [(bucket: Bucket, balance: Int64)] {
        try connection.query("SELECT bucket, balance FROM credit_accounts WHERE identity_id = \(user) ORDER BY bucket") {
            (bucket: Bucket(known: $0.text(0)), balance: $0.integer(1))
        }
    }

    package func bucketCount(of user: Identity.ID) throws -> Int {
        try connection.first("SELECT COUNT(*) FROM credit_accounts WHERE identity_id = \(user)") { Int($0.integer(0)) } ?? 0
    }

    package func creditBalance(of user: Identity.ID, in bucket: Bucket) throws -> Int64 {
        try connection.first(
            "SELECT balance FROM credit_accounts WHERE identity_id = \(user) AND bucket = \(bucket.name)"
        ) { $0.integer(0) } ?? 0
    }

    package func hasBucket(_ bucket: Bucket, in scope: Scope) throws -> Bool {
        try connection.hasRows(
            """
            SELECT 1 FROM credit_accounts
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND bucket = \(bucket.name) AND identity_id IS NULL LIMIT 1
            """)
    }

    package func openCreditAccount(of owner: CreditAccount.Owner, _ bucket: Bucket, in scope: Scope) throws -> CreditAccount {
        if let id = try creditAccount(of: owner, bucket, in: scope) { return CreditAccount(id: id, owner: owner, bucket: bucket) }
        let (user, purpose): (Identity.ID?, String?) =
            switch owner {
            case .user(let user): (user, nil)
            case .app(let purpose): (nil, purpose.rawValue)
            }
        try connection.execute(
            """
            INSERT INTO credit_accounts (id, app_id, mode, bucket, identity_id, purpose, balance)
            VALUES (\(try nextID()), \(scope.app), \(scope.mode), \(bucket.name), \(user), \(purpose), \(user == nil ? Int64?.none : 0))
            ON CONFLICT DO NOTHING
            """)
        guard let id = try creditAccount(of: owner, bucket, in: scope) else {
            throw Failure.unavailable("The account was opened at the same time; please try again.")
        }
        return CreditAccount(id: id, owner: owner, bucket: bucket)
    }

    package func creditAccount(of owner: CreditAccount.Owner, _ bucket: Bucket, in scope: Scope) throws -> CreditAccount.ID? {
        let sql: SQL =
            switch owner {
            case .user(let user): "SELECT id FROM credit_accounts WHERE identity_id = \(user) AND bucket = \(bucket.name)"
            case .app(let purpose):
                """
                SELECT id FROM credit_accounts
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND bucket = \(bucket.name) AND purpose = \(purpose.rawValue)
                    AND identity_id IS NULL
                """
            }
        return try connection.first(sql) { $0.id(0) }
    }

    package func changeCreditBalance(of account: CreditAccount.ID, by amount: Int64) throws -> Int64? {
        try connection.first(
            """
            UPDATE credit_accounts SET balance = balance + \(amount)
            WHERE id = \(account) AND balance + \(amount) >= 0 AND balance + \(amount) <= \(CreditAmount.largest)
            RETURNING balance
            """
        ) { $0.integer(0) }
    }

    // MARK: Transactions

    package func insert(_ transaction: CreditTransaction) throws {
        let cause = transaction.cause
        let (referrer, referree) = cause.parties
        try connection.execute(
            """
            INSERT INTO credit_transactions (id, app_id, mode, kind, source, rule_id, session_id, event_id, event_name, metadata,
                referrer_id, referree_id, undone_id)
            VALUES (\(transaction.id), \(transaction.scope.app), \(transaction.scope.mode), \(transaction.kind.rawValue),
                \(cause.source.rawValue), \(cause.rule), \(cause.session), \(cause.event), \(cause.eventName),
                \(cause.metadata.map(JSON.object)), \(referrer), \(referree), \(cause.undone))
            """)
    }

    package func insert(_ entry: CreditEntry) throws {
        try connection.execute(
            """
            INSERT INTO credit_entries (transaction_id, account_id, amount, balance_after)
            VALUES (\(entry.transaction), \(entry.account.id), \(entry.amount), \(entry.balanceAfter))
            """)
    }

    // MARK: Uniqueness keys

    package func creditClaim(_ claim: String, in scope: Scope) throws -> (transaction: CreditTransaction.ID, asked: String?)? {
        try connection.first(
            """
            SELECT transaction_id, asked FROM credit_uniqueness_keys
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND claim = \(claim)
            """
        ) { (transaction: $0.id(0), asked: $0.optionalText(1)) }
    }

    package func claim(_ claim: String, in scope: Scope, for transaction: CreditTransaction.ID, asked: String?) throws -> Bool {
        try connection.changesRows(
            """
            INSERT INTO credit_uniqueness_keys (app_id, mode, claim, transaction_id, asked)
            VALUES (\(scope.app), \(scope.mode), \(claim), \(transaction), \(asked))
            ON CONFLICT (app_id, mode, claim) DO NOTHING
            """)
    }

    package func moveClaim(_ claim: String, in scope: Scope, to transaction: CreditTransaction.ID) throws {
        try connection.execute(
            """
            UPDATE credit_uniqueness_keys SET transaction_id = \(transaction)
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND claim = \(claim)
            """)
    }

    // MARK: Lots

    package func insertExpiringCredits(_ amount: Int64, of entry: CreditEntry, at time: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO expiring_credits (transaction_id, account_id, remaining, expires_at)
            VALUES (\(entry.transaction), \(entry.account.id), \(amount), \(time))
            """)
    }

    package func creditLot(of grant: CreditTransaction.ID, on account: CreditAccount.ID) throws -> CreditLot? {
        try connection.first(
            """
            SELECT transaction_id, remaining, expires_at FROM expiring_credits
            WHERE transaction_id = \(grant) AND account_id = \(account)
            """, CreditLot.init(row:))
    }

    package func expiringLots(on account: CreditAccount.ID, limit: Int) throws -> [CreditLot] {
        try connection.query(
            """
            SELECT transaction_id, remaining, expires_at FROM expiring_credits
            WHERE account_id = \(account) AND remaining > 0 ORDER BY expires_at, transaction_id LIMIT \(limit)
            """, CreditLot.init(row:))
    }

    package func consumeLots(through last: CreditLot, for entry: CreditEntry) throws {
        try connection.execute(
            """
            INSERT INTO spent_expiring_credits (transaction_id, account_id, given_id, amount, expires_at)
            SELECT CAST(\(entry.transaction) AS BIGINT), account_id, transaction_id, remaining, expires_at FROM expiring_credits
            WHERE account_id = \(entry.account.id) AND remaining > 0 AND (expires_at, transaction_id) <= (\(last.expiresAt), \(last.grant))
            """)
        try connection.execute(
            """
            UPDATE expiring_credits SET remaining = 0
            WHERE account_id = \(entry.account.id) AND remaining > 0 AND (expires_at, transaction_id) <= (\(last.expiresAt), \(last.grant))
            """)
    }

    package func consume(_ amount: Int64, of lot: CreditLot, for entry: CreditEntry) throws {
        try connection.execute(
            """
            UPDATE expiring_credits SET remaining = remaining - \(amount)
            WHERE transaction_id = \(lot.grant) AND account_id = \(entry.account.id)
            """)
        try connection.execute(
            """
            INSERT INTO spent_expiring_credits (transaction_id, account_id, given_id, amount, expires_at)
            VALUES (\(entry.transaction), \(entry.account.id), \(lot.grant), \(amount), \(lot.expiresAt))
            """)
    }

    package func restoreExpiringCredits(to entry: CreditEntry, takenBy transaction: CreditTransaction.ID) throws {
        try connection.execute(
            """
            INSERT INTO expiring_credits (transaction_id, account_id, remaining, expires_at)
            SELECT given_id, account_id, amount, expires_at FROM spent_expiring_credits
            WHERE transaction_id = \(transaction) AND account_id = \(entry.account.id)
            ON CONFLICT (transaction_id, account_id)
            DO UPDATE SET remaining = expiring_credits.remaining + excluded.remaining
            """)
        // A transaction is reversed at most once.
        try connection.execute(
            """
            DELETE FROM spent_expiring_credits WHERE transaction_id = \(transaction) AND account_id = \(entry.account.id)
            """)
    }

    package func moveExpiringCredits(of account: CreditAccount.ID, to other: CreditAccount.ID) throws {
        try connection.execute(
            "UPDATE expiring_credits SET account_id = \(other) WHERE account_id = \(account) AND remaining > 0")
    }

    package func expiredCredits(of account: CreditAccount.ID?, at time: Timestamp, limit: Int) throws -> [ExpiredCredits] {
        let sql: SQL =
            if let account {
                """
                SELECT transaction_id, identity_id, app_id, mode, bucket, remaining
                FROM expiring_credits JOIN credit_accounts ON credit_accounts.id = account_id
                WHERE account_id = \(account) AND expires_at <= \(time) AND remaining > 0 ORDER BY expires_at LIMIT \(limit)
                """
            } else {
                """
                SELECT transaction_id, identity_id, app_id, mode, bucket, remaining
                FROM expiring_credits JOIN credit_accounts ON credit_accounts.id = account_id
                WHERE expires_at <= \(time) AND remaining > 0 ORDER BY expires_at LIMIT \(limit)
                """
            }
        return try connection.query(sql) { row in
            ExpiredCredits(
                grant: row.id(0), user: row.id(1), scope: row.scope(2), bucket: Bucket(known: row.text(4)),
                remaining: row.integer(5))
        }
    }
}

extension CreditLot {
    fileprivate init(row: any SQLRow) {
        self.init(grant: row.id(0), remaining: row.integer(1), expiresAt: row.time(2))
    }
}

extension CreditCause {
    /// The columns `referrer_id` and `referree_id`; at most one of them is set, to the counterparty.
    var parties: (referrer: Identity.ID?, referree: Identity.ID?) {
        switch counterparty {
        case .referrer(let id): (id, nil)
        case .referree(let id): (nil, id)
        case nil: (nil, nil)
        }
    }
}
