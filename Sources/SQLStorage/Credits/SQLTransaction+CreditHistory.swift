import Linden

extension SQLTransaction {
    package func creditHistory(_ query: CreditHistoryQuery, of user: Identity.ID) throws -> [CreditRecord] {
        let anyBucket = query.bucket == nil
        switch query.direction {
        case .newestFirst:
            return try connection.query(
                """
                \(raw: CreditRecord.selection)
                WHERE account.identity_id = \(user) AND (\(anyBucket) = 1 OR account.bucket = \(query.bucket?.name))
                    AND credit_entries.transaction_id < \(query.after?.rawValue ?? Int64.max)
                ORDER BY credit_entries.transaction_id DESC, account_id DESC LIMIT \(query.length)
                """, CreditRecord.init(row:))
        case .oldestFirst:
            return try connection.query(
                """
                \(raw: CreditRecord.selection)
                WHERE account.identity_id = \(user) AND (\(anyBucket) = 1 OR account.bucket = \(query.bucket?.name))
                    AND credit_entries.transaction_id > \(query.after?.rawValue ?? 0)
                ORDER BY credit_entries.transaction_id, account_id LIMIT \(query.length)
                """, CreditRecord.init(row:))
        }
    }

    package func creditRecord(of transaction: CreditTransaction.ID, for user: Identity.ID) throws -> CreditRecord? {
        try connection.first(
            """
            \(raw: CreditRecord.selection)
            WHERE credit_entries.transaction_id = \(transaction) AND account.identity_id = \(user) ORDER BY account_id LIMIT 1
            """, CreditRecord.init(row:))
    }
}

extension CreditRecord {
    /// The SELECT list; the columns of ``CreditTransaction`` come first.
    fileprivate static let selection: StaticString = """
        SELECT credit_transactions.id, credit_transactions.app_id, credit_transactions.mode, credit_transactions.kind, source, rule_id, \
        credit_transactions.session_id, event_id, event_name, metadata, referrer_id, referree_id, undone_id, \
        account.bucket, amount, balance_after, referrer.developer_identity, referree.developer_identity \
        FROM credit_accounts AS account \
        JOIN credit_entries ON account_id = account.id \
        JOIN credit_transactions ON credit_transactions.id = credit_entries.transaction_id \
        LEFT JOIN identities AS referrer ON referrer.id = referrer_id \
        LEFT JOIN identities AS referree ON referree.id = referree_id
        """

    fileprivate init(row: any SQLRow) throws {
        let transaction = try CreditTransaction(row: row)
        self.init(
            transaction: transaction, bucket: Bucket(known: row.text(13)), amount: row.integer(14), balanceAfter: row.integer(15),
            referrer: row.optionalText(16), referree: row.optionalText(17),
            metadata: transaction.cause.metadata ?? [:])
    }
}
