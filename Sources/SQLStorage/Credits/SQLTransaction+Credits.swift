import Linden

extension SQLTransaction {
    // MARK: Accounts

    package func creditBalances(of user: Identity.ID) throws -> [(bucket: Bucket, balance: Int64)] {
        try connection.query("SELECT bucket, balance FROM credit_accounts WHERE identity_id = \(user) ORDER BY bucket") {
            (bucket: Bucket(known: $0.text(0)), balance: $0.integer(1))
        }
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

    private func creditAccount(of owner: CreditAccount.Owner, _ bucket: Bucket, in scope: Scope) throws -> CreditAccount.ID? {
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

    package func creditTransaction(_ id: CreditTransaction.ID) throws -> CreditTransaction? {
        try connection.first(
            "SELECT \(raw: CreditTransaction.columns) FROM credit_transactions WHERE credit_transactions.id = \(id)",
            CreditTransaction.init(row:))
    }

    package func creditEntries(of transaction: CreditTransaction.ID) throws -> [CreditEntry] {
        try connection.query(
            """
            SELECT account_id, identity_id, purpose, bucket, amount, balance_after
            FROM credit_entries JOIN credit_accounts ON credit_accounts.id = account_id
            WHERE transaction_id = \(transaction) ORDER BY identity_id IS NULL, account_id
            """
        ) { row in
            let owner =
                row.optionalID(1).map(CreditAccount.Owner.user)
                ?? .app(CreditAccount.Purpose(rawValue: row.text(2)) ?? .issued)
            return CreditEntry(
                transaction: transaction, account: CreditAccount(id: row.id(0), owner: owner, bucket: Bucket(known: row.text(3))),
                amount: row.integer(4), balanceAfter: row.optionalInteger(5))
        }
    }

    // MARK: What happens once

    package func creditClaim(_ claim: String, in scope: Scope) throws -> (transaction: CreditTransaction.ID, asked: String?)? {
        try connection.first(
            """
            SELECT transaction_id, asked FROM credit_claims
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND claim = \(claim)
            """
        ) { (transaction: $0.id(0), asked: $0.optionalText(1)) }
    }

    package func claim(_ claim: String, in scope: Scope, for transaction: CreditTransaction.ID, asked: String?) throws -> Bool {
        try connection.hasRows(
            """
            INSERT INTO credit_claims (app_id, mode, claim, transaction_id, asked)
            VALUES (\(scope.app), \(scope.mode), \(claim), \(transaction), \(asked))
            ON CONFLICT (app_id, mode, claim) DO NOTHING RETURNING transaction_id
            """)
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

extension CreditTransaction {
    static let columns: StaticString = """
        credit_transactions.id, credit_transactions.app_id, credit_transactions.mode, kind, source, rule_id, \
        credit_transactions.session_id, event_id, event_name, metadata, referrer_id, referree_id, undone_id
        """

    init(row: any SQLRow) throws {
        var cause = CreditCause(CreditCause.Source(rawValue: row.text(4)) ?? .operator)
        cause.rule = row.optionalID(5)
        cause.session = row.optionalID(6)
        cause.event = row.optionalID(7)
        cause.eventName = row.optionalText(8)
        cause.metadata = row.isNull(9) ? nil : try row.object(9)
        cause.counterparty = row.optionalID(10).map(Counterparty.referrer) ?? row.optionalID(11).map(Counterparty.referree)
        cause.undone = row.optionalID(12)
        self.init(id: row.id(0), scope: row.scope(1), kind: Kind(rawValue: row.integer(3)) ?? .correction, cause: cause)
    }
}
