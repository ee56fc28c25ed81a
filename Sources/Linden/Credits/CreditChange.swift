/// Somebody gives credits to a user.
package struct CreditGrant: Sendable {
    package var holder: CreditHolder
    package var amount: CreditAmount
    package var bucket: Bucket
    /// When they end, if they are not spent before.
    package var expiresAt: Timestamp?

    package init(holder: CreditHolder, amount: CreditAmount, bucket: Bucket = .standard, expiresAt: Timestamp? = nil) {
        self.holder = holder
        self.amount = amount
        self.bucket = bucket
        self.expiresAt = expiresAt
    }
}

/// Credits are taken from a user.
package struct CreditWithdrawal: Sendable {
    package var holder: CreditHolder
    package var amount: CreditAmount
    package var bucket: Bucket

    package init(holder: CreditHolder, amount: CreditAmount, bucket: Bucket = .standard) {
        self.holder = holder
        self.amount = amount
        self.bucket = bucket
    }
}

/// What is said of a movement's cause by the one who asks for it.
package struct CreditReason: Sendable {
    package var source: CreditCause.Source
    package var event: String?
    package var metadata: JSONObject?
    /// Developer's ids of the other party.
    package var referrer: String?
    package var referree: String?

    package init(_ source: CreditCause.Source) {
        self.source = source
    }
}

/// What a movement did: the line of the user it was asked for.
package struct CreditReceipt: Sendable {
    package let user: Identity
    package let record: CreditRecord
}
