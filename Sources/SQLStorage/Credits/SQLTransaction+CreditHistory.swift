import Linden
import LindenKernel
import LindenLedger

extension SQLTransaction {
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

    /// Reads and sorts only the first entries of each account, at most the length of the page: those up to `last`. They are found by the
    /// index of the account; without `MATERIALIZED`, PostgreSQL may read the entries of all users in the order of the page instead.
    package func creditHistory(_ query: CreditHistoryQuery, of user: Identity.ID) throws -> [CreditRecord] {
        let anyBucket = query.bucket == nil
        switch query.direction {
        case .newestFirst:
            let after = query.after?.rawValue ?? Int64.max
            return try connection.query(
                """
                WITH last AS MATERIALIZED (
                    SELECT id AS account_id, COALESCE((
                        SELECT transaction_id FROM credit_entries
                        WHERE account_id = credit_accounts.id AND transaction_id < \(after)
                        ORDER BY transaction_id DESC LIMIT 1 OFFSET \(query.length - 1)), 0) AS transaction_id
                    FROM credit_accounts WHERE identity_id = \(user) AND (\(anyBucket) = 1 OR bucket = \(query.bucket?.name))
                ), firsts AS MATERIALIZED (
                    SELECT credit_entries.transaction_id, credit_entries.account_id
                    FROM last JOIN credit_entries ON credit_entries.account_id = last.account_id
                    WHERE credit_entries.transaction_id < \(after) AND credit_entries.transaction_id >= last.transaction_id
                ), page AS MATERIALIZED (
                    SELECT transaction_id, account_id FROM firsts
                    ORDER BY transaction_id DESC, account_id DESC LIMIT \(query.length)
                )
                SELECT \(raw: CreditRecord.columns) \(raw: CreditRecord.pageJoins) \(raw: CreditRecord.joins)
                ORDER BY page.transaction_id DESC, page.account_id DESC
                """, CreditRecord.init(row:))
        case .oldestFirst:
            let after = query.after?.rawValue ?? 0
            return try connection.query(
                """
                WITH last AS MATERIALIZED (
                    SELECT id AS account_id, COALESCE((
                        SELECT transaction_id FROM credit_entries
                        WHERE account_id = credit_accounts.id AND transaction_id > \(after)
                        ORDER BY transaction_id LIMIT 1 OFFSET \(query.length - 1)), \(Int64.max)) AS transaction_id
                    FROM credit_accounts WHERE identity_id = \(user) AND (\(anyBucket) = 1 OR bucket = \(query.bucket?.name))
                ), firsts AS MATERIALIZED (
                    SELECT credit_entries.transaction_id, credit_entries.account_id
                    FROM last JOIN credit_entries ON credit_entries.account_id = last.account_id
                    WHERE credit_entries.transaction_id > \(after) AND credit_entries.transaction_id <= last.transaction_id
                ), page AS MATERIALIZED (
                    SELECT transaction_id, account_id FROM firsts
                    ORDER BY transaction_id, account_id LIMIT \(query.length)
                )
                SELECT \(raw: CreditRecord.columns) \(raw: CreditRecord.pageJoins) \(raw: CreditRecord.joins)
                ORDER BY page.transaction_id, page.account_id
                """, CreditRecord.init(row:))
        }
    }

    package func creditRecord(of transaction: CreditTransaction.ID, for user: Identity.ID) throws -> CreditRecord? {
        try connection.first(
            """
            SELECT \(raw: CreditRecord.columns)
            FROM credit_accounts AS account JOIN credit_entries ON account_id = account.id \(raw: CreditRecord.joins)
            WHERE credit_entries.transaction_id = \(transaction) AND account.identity_id = \(user) ORDER BY account_id LIMIT 1
            """, CreditRecord.init(row:))
    }
}

extension CreditRecord {
    /// The SELECT list; the columns of ``CreditTransaction`` come first.
    fileprivate static let columns: StaticString = """
        credit_transactions.id, credit_transactions.app_id, credit_transactions.mode, credit_transactions.kind, source, rule_id, \
        credit_transactions.session_id, event_id, event_name, metadata, referrer_id, referree_id, undone_id, \
        account.bucket, amount, balance_after, referrer.developer_identity, referree.developer_identity
        """

    /// The tables of the columns behind `credit_entries` and its account.
    fileprivate static let joins: StaticString = """
        JOIN credit_transactions ON credit_transactions.id = credit_entries.transaction_id \
        LEFT JOIN identities AS referrer ON referrer.id = referrer_id \
        LEFT JOIN identities AS referree ON referree.id = referree_id
        """

    /// Reads the records of the entries in a table `page`.
    fileprivate static let pageJoins: StaticString = """
        FROM page \
        JOIN credit_entries ON credit_entries.transaction_id = page.transaction_id AND credit_entries.account_id = page.account_id \
        JOIN credit_accounts AS account ON account.id = page.account_id
        """

    fileprivate init(row: any SQLRow) throws {
        let transaction = try CreditTransaction(row: row)
        self.init(
            transaction: transaction, bucket: Bucket(known: row.text(13)), amount: row.integer(14), balanceAfter: row.integer(15),
            referrer: row.optionalText(16), referree: row.optionalText(17),
            metadata: transaction.cause.metadata ?? [:])
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
