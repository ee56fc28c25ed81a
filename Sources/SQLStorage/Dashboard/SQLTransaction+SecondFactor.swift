import LindenKernel
import LindenServices

extension SQLTransaction {
    package func secondFactor(of user: DashboardUser.ID) throws -> SecondFactor? {
        try connection.first(
            "SELECT totp_secret, totp_last_step FROM dashboard_users WHERE id = \(user) AND totp_secret IS NOT NULL"
        ) { SecondFactor(secret: $0.blob(0), lastStep: $0.integer(1)) }
    }

    package func recoveryCodes(of user: DashboardUser.ID) throws -> Int {
        try connection.first("SELECT COUNT(*) FROM dashboard_recovery_codes WHERE user_id = \(user)") { Int($0.integer(0)) } ?? 0
    }

    package func setSecondFactor(_ factor: SecondFactor, recoveryHashes: [[UInt8]], of user: DashboardUser.ID) throws -> Bool {
        let isSet = try connection.changesRows(
            """
            UPDATE dashboard_users SET totp_secret = \(factor.totp.secret), totp_last_step = \(factor.lastStep)
            WHERE id = \(user) AND totp_secret IS NULL
            """)
        guard isSet else { return false }
        for hash in recoveryHashes {
            try connection.execute("INSERT INTO dashboard_recovery_codes (user_id, hash) VALUES (\(user), \(hash))")
        }
        return true
    }

    package func removeSecondFactor(of user: DashboardUser.ID) throws {
        try connection.execute("UPDATE dashboard_users SET totp_secret = NULL, totp_last_step = NULL WHERE id = \(user)")
        try connection.execute("DELETE FROM dashboard_recovery_codes WHERE user_id = \(user)")
    }

    package func useSecondFactor(step: Int64, of user: DashboardUser.ID) throws -> Bool {
        try connection.changesRows(
            "UPDATE dashboard_users SET totp_last_step = \(step) WHERE id = \(user) AND totp_last_step < \(step)")
    }

    package func useRecoveryCode(_ hash: [UInt8], of user: DashboardUser.ID) throws -> Bool {
        try connection.changesRows("DELETE FROM dashboard_recovery_codes WHERE user_id = \(user) AND hash = \(hash)")
    }
}
