import Linden
import LindenKernel

/// A lot of expiring credits: the remainder of a transaction's grant on one account.
package struct CreditLot: Sendable {
    /// The transaction that granted the credits.
    package let grant: CreditTransaction.ID
    package let remaining: Int64
    package let expiresAt: Timestamp

    package init(grant: CreditTransaction.ID, remaining: Int64, expiresAt: Timestamp) {
        self.grant = grant
        self.remaining = remaining
        self.expiresAt = expiresAt
    }
}

/// The remainder of an expired lot of credits.
package struct ExpiredCredits: Sendable {
    /// The transaction that granted the credits.
    package let grant: CreditTransaction.ID
    package let user: Identity.ID
    package let scope: Scope
    package let bucket: Bucket
    package let remaining: Int64

    package init(grant: CreditTransaction.ID, user: Identity.ID, scope: Scope, bucket: Bucket, remaining: Int64) {
        self.grant = grant
        self.user = user
        self.scope = scope
        self.bucket = bucket
        self.remaining = remaining
    }
}
