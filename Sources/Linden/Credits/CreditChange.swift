/// A request to grant credits to an identity.
package struct CreditGrant: Sendable {
    package var holder: AccountReference
    package var amount: CreditAmount
    package var bucket: Bucket
    /// When the credits expire, unless they are spent before; nil for never.
    package var expiresAt: Timestamp?

    package init(holder: AccountReference, amount: CreditAmount, bucket: Bucket = .standard, expiresAt: Timestamp? = nil) {
        self.holder = holder
        self.amount = amount
        self.bucket = bucket
        self.expiresAt = expiresAt
    }
}

/// A request to take credits from an identity.
package struct CreditWithdrawal: Sendable {
    package var holder: AccountReference
    package var amount: CreditAmount
    package var bucket: Bucket

    package init(holder: AccountReference, amount: CreditAmount, bucket: Bucket = .standard) {
        self.holder = holder
        self.amount = amount
        self.bucket = bucket
    }
}

/// The caller's reason for a movement of credits.
package struct CreditReason: Sendable {
    package var source: CreditCause.Source
    package var event: String?
    package var metadata: JSONObject?
    /// The developer's id of the counterparty.
    package var referrer: String?
    package var referree: String?

    package init(_ source: CreditCause.Source) {
        self.source = source
    }
}

/// The result of a movement: the entry of the identity that it was requested for.
package struct CreditReceipt: Sendable {
    package let user: Identity
    package let record: CreditRecord
}
