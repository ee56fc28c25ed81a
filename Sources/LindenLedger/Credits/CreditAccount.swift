import Linden
import LindenKernel

/// A ledger account: one owner's credits in one bucket.
package struct CreditAccount: Sendable {
    package typealias ID = Identifier<CreditAccount>

    package enum Owner: Sendable, Hashable {
        case user(Identity.ID)
        case app(Purpose)
    }

    /// The purpose of an app's own account, the counterpart of identities' accounts. Such an account stores no balance: it is the sum of
    /// its entries.
    package enum Purpose: String, Sendable, CaseIterable {
        case issued, redeemed, withdrawn
    }

    package let id: ID
    package let owner: Owner
    package let bucket: Bucket

    package init(id: ID, owner: Owner, bucket: Bucket) {
        self.id = id
        self.owner = owner
        self.bucket = bucket
    }
}

/// A posting of a transaction: the amount that it adds to an account, or takes from it if negative. The postings of a transaction sum to
/// zero.
package struct Posting: Sendable {
    package let owner: CreditAccount.Owner
    package let bucket: Bucket
    package let amount: Int64
    /// When the granted credits expire, unless they are spent before.
    package let expiresAt: Timestamp?
    /// The transaction that granted the credits that this posting takes. Its lot is consumed before others.
    package let sourceGrant: CreditTransaction.ID?
    /// The transaction that spent the credits that this posting returns. The returned credits expire when they would have expired.
    package let reversedSpend: CreditTransaction.ID?

    package init(
        _ owner: CreditAccount.Owner, _ bucket: Bucket, _ amount: Int64, expiresAt: Timestamp? = nil,
        from sourceGrant: CreditTransaction.ID? = nil, returning reversedSpend: CreditTransaction.ID? = nil
    ) {
        self.owner = owner
        self.bucket = bucket
        self.amount = amount
        self.expiresAt = expiresAt
        self.sourceGrant = sourceGrant
        self.reversedSpend = reversedSpend
    }
}

/// A posting as it was written.
package struct CreditEntry: Sendable {
    package let transaction: CreditTransaction.ID
    package let account: CreditAccount
    package let amount: Int64
    /// The balance after the entry; nil for an app's account.
    package let balanceAfter: Int64?

    package init(transaction: CreditTransaction.ID, account: CreditAccount, amount: Int64, balanceAfter: Int64?) {
        self.transaction = transaction
        self.account = account
        self.amount = amount
        self.balanceAfter = balanceAfter
    }
}
