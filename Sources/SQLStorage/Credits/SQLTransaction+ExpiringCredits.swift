import Linden

extension SQLTransaction {
    package func insertExpiringCredits(_ amount: Int64, of entry: CreditEntry, at time: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO expiring_credits (transaction_id, account_id, remaining, expires_at)
            VALUES (\(entry.transaction), \(entry.account.id), \(amount), \(time))
            """)
    }

    package func spendExpiringCredits(_ amount: Int64, of account: CreditAccount.ID) throws {
        var left = amount
        while left > 0 {
            let next = try connection.first(
                """
                SELECT transaction_id, remaining FROM expiring_credits
                WHERE account_id = \(account) AND remaining > 0 ORDER BY expires_at LIMIT 1
                """
            ) { (transaction: $0.integer(0), remaining: $0.integer(1)) }
            guard let next else { return }
            let spent = min(left, next.remaining)
            try connection.execute(
                """
                UPDATE expiring_credits SET remaining = remaining - \(spent)
                WHERE transaction_id = \(next.transaction) AND account_id = \(account)
                """)
            left -= spent
        }
    }

    package func moveExpiringCredits(of account: CreditAccount.ID, to other: CreditAccount.ID) throws {
        try connection.execute(
            "UPDATE expiring_credits SET account_id = \(other) WHERE account_id = \(account) AND remaining > 0")
    }

    package func hasExpiredCredits(at time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM expiring_credits WHERE expires_at <= \(time) AND remaining > 0 LIMIT 1")
    }

    package func expiredCredits(of account: CreditAccount.ID?, at time: Timestamp, limit: Int) throws -> [ExpiredCredits] {
        let sql: SQL =
            if let account {
                """
                SELECT identity_id, app_id, mode, bucket, remaining
                FROM expiring_credits JOIN credit_accounts ON credit_accounts.id = account_id
                WHERE account_id = \(account) AND expires_at <= \(time) AND remaining > 0 ORDER BY expires_at LIMIT \(limit)
                """
            } else {
                """
                SELECT identity_id, app_id, mode, bucket, remaining
                FROM expiring_credits JOIN credit_accounts ON credit_accounts.id = account_id
                WHERE expires_at <= \(time) AND remaining > 0 ORDER BY expires_at LIMIT \(limit)
                """
            }
        return try connection.query(sql) { row in
            ExpiredCredits(user: row.id(0), scope: row.scope(1), bucket: Bucket(known: row.text(3)), remaining: row.integer(4))
        }
    }
}
