import Linden

extension SQLTransaction {
    package func insertExpiringCredits(_ amount: Int64, of entry: CreditEntry, at time: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO expiring_credits (transaction_id, account_id, remaining, expires_at)
            VALUES (\(entry.transaction), \(entry.account.id), \(amount), \(time))
            """)
    }

    package func spendExpiringCredits(of entry: CreditEntry, first given: CreditTransaction.ID?) throws {
        let account = entry.account.id
        var left = -entry.amount
        let own = try given.flatMap { given in
            try connection.first(
                """
                SELECT transaction_id, remaining, expires_at FROM expiring_credits
                WHERE transaction_id = \(given) AND account_id = \(account) AND remaining > 0
                """, CreditLot.init(row:))
        }
        if let own { left -= try spend(left, of: own, by: entry) }
        while left > 0 {
            let next = try connection.first(
                """
                SELECT transaction_id, remaining, expires_at FROM expiring_credits
                WHERE account_id = \(account) AND remaining > 0 ORDER BY expires_at LIMIT 1
                """, CreditLot.init(row:))
            guard let next else { return }
            left -= try spend(left, of: next, by: entry)
        }
    }

    /// Consumes up to `amount` of a lot, records the consumption and returns the amount consumed.
    private func spend(_ amount: Int64, of credits: CreditLot, by entry: CreditEntry) throws -> Int64 {
        let spent = min(amount, credits.remaining)
        try connection.execute(
            """
            UPDATE expiring_credits SET remaining = remaining - \(spent)
            WHERE transaction_id = \(credits.grant) AND account_id = \(entry.account.id)
            """)
        try connection.execute(
            """
            INSERT INTO spent_expiring_credits (transaction_id, account_id, given_id, amount, expires_at)
            VALUES (\(entry.transaction), \(entry.account.id), \(credits.grant), \(spent), \(credits.end))
            """)
        return spent
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
    }

    package func end(of transaction: CreditTransaction.ID, on account: CreditAccount.ID) throws -> Timestamp? {
        try connection.first(
            "SELECT expires_at FROM expiring_credits WHERE transaction_id = \(transaction) AND account_id = \(account)"
        ) { $0.time(0) }
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

/// A lot of expiring credits: the remainder of a transaction's grant.
private struct CreditLot {
    let grant: CreditTransaction.ID
    let remaining: Int64
    let end: Timestamp

    init(row: any SQLRow) {
        grant = row.id(0)
        remaining = row.integer(1)
        end = row.time(2)
    }
}
