import LindenServices

/// The audit of the whole ledger. Each statement scans a table once, in key order.
extension SQLTransaction {
    package func unbalancedCreditTransactions(limit: Int) throws -> CheckResult {
        var problems = try connection.query(
            """
            SELECT transaction_id, CAST(SUM(amount) AS BIGINT), COUNT(*) FROM credit_entries
            GROUP BY transaction_id HAVING SUM(amount) <> 0 OR COUNT(*) < 2 LIMIT \(limit)
            """
        ) { "The \($0.integer(2)) entries of transaction \($0.integer(0)) sum to \($0.integer(1))." }
        problems += try connection.query(
            """
            SELECT bucket, CAST(SUM(amount) AS BIGINT) FROM credit_entries JOIN credit_accounts ON credit_accounts.id = account_id
            GROUP BY app_id, mode, bucket HAVING SUM(amount) <> 0 LIMIT \(limit)
            """
        ) { "The entries in the bucket \($0.text(0)) of an app sum to \($0.integer(1))." }
        problems += try connection.query(
            """
            SELECT id FROM credit_transactions
            WHERE NOT EXISTS (SELECT 1 FROM credit_entries WHERE transaction_id = credit_transactions.id) LIMIT \(limit)
            """
        ) { "Transaction \($0.integer(0)) has no entries." }
        problems += try connection.query(
            """
            SELECT transaction_id FROM credit_entries
            WHERE NOT EXISTS (SELECT 1 FROM credit_transactions WHERE id = transaction_id) LIMIT \(limit)
            """
        ) { "There are entries of a transaction \($0.integer(0)) that is not there." }
        return CheckResult(examined: try count("SELECT COUNT(*) FROM credit_transactions"), problems: problems)
    }

    package func wrongCreditBalances(limit: Int) throws -> CheckResult {
        let problems = try connection.query(
            """
            SELECT id, balance, total FROM (
                SELECT id, balance,
                    (SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM credit_entries WHERE account_id = credit_accounts.id)
                        AS total
                FROM credit_accounts WHERE identity_id IS NOT NULL) AS accounts
            WHERE balance <> total OR balance < 0 LIMIT \(limit)
            """
        ) { "The balance of account \($0.integer(0)) is \($0.integer(1)), and its entries sum to \($0.integer(2))." }
        return CheckResult(
            examined: try count("SELECT COUNT(*) FROM credit_accounts WHERE identity_id IS NOT NULL"), problems: problems)
    }

    package func brokenCreditOrder(limit: Int) throws -> CheckResult {
        let problems = try connection.query(
            """
            SELECT transaction_id, balance_after, expected FROM (
                SELECT transaction_id, balance_after, amount + COALESCE(
                    LAG(balance_after) OVER (PARTITION BY account_id ORDER BY transaction_id), 0) AS expected
                FROM credit_entries WHERE balance_after IS NOT NULL) AS entries
            WHERE balance_after <> expected OR balance_after < 0 LIMIT \(limit)
            """
        ) { "Transaction \($0.integer(0)) left a balance of \($0.integer(1)), where \($0.integer(2)) were to be." }
        return CheckResult(
            examined: try count("SELECT COUNT(*) FROM credit_entries WHERE balance_after IS NOT NULL"), problems: problems)
    }

    package func wrongExpiringCredits(limit: Int) throws -> CheckResult {
        let problems = try connection.query(
            """
            SELECT account_id, CAST(SUM(remaining) AS BIGINT), MIN(balance)
            FROM expiring_credits JOIN credit_accounts ON credit_accounts.id = account_id
            WHERE remaining > 0 GROUP BY account_id HAVING SUM(remaining) > MIN(balance) OR MIN(remaining) < 0 LIMIT \(limit)
            """
        ) { "Account \($0.integer(0)) has \($0.integer(1)) credits that end, and \($0.integer(2)) in all." }
        return CheckResult(
            examined: try count("SELECT COUNT(*) FROM expiring_credits WHERE remaining > 0"), problems: problems)
    }

    private func count(_ sql: SQL) throws -> Int64 {
        try connection.first(sql) { $0.integer(0) } ?? 0
    }
}
