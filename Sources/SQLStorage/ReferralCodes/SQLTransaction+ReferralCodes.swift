import Linden
import LindenLedger

extension SQLTransaction {
    package func referralCode(_ code: String, in scope: Scope) throws -> ReferralCode? {
        try connection.first(
            """
            SELECT \(raw: ReferralCode.columns) FROM referral_codes
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND code = \(code)
            """, ReferralCode.init(row:))
    }

    package func referralCode(_ id: ReferralCode.ID) throws -> ReferralCode? {
        try connection.first("SELECT \(raw: ReferralCode.columns) FROM referral_codes WHERE id = \(id)", ReferralCode.init(row:))
    }

    package func insert(_ code: ReferralCode) throws -> Bool {
        try connection.changesRows(
            """
            INSERT INTO referral_codes (id, app_id, mode, code, identity_id, amount, bucket, calculation_type, location, expires_at)
            VALUES (\(code.id), \(code.scope.app), \(code.scope.mode), \(code.code), \(code.owner), \(code.amount.value),
                \(code.bucket.name), \(code.frequency.rawValue), \(code.recipient.rawValue), \(code.expiresAt))
            ON CONFLICT (app_id, mode, code) DO NOTHING
            """)
    }
}

extension ReferralCode {
    fileprivate static let columns: StaticString =
        "id, app_id, mode, code, identity_id, amount, bucket, calculation_type, location, expires_at"

    fileprivate init(row: any SQLRow) throws {
        self.init(
            id: row.id(0), scope: row.scope(1), code: row.text(3), owner: row.id(4), amount: try CreditAmount(row.integer(5)),
            bucket: Bucket(known: row.text(6)), frequency: Frequency(rawValue: row.integer(7)) ?? .oncePerUser,
            recipient: Recipient(rawValue: row.integer(8)) ?? .applier, expiresAt: row.optionalTime(9))
    }
}
