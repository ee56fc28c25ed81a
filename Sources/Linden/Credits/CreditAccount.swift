/// Where credits are.
package struct CreditAccount: Sendable {
    package typealias ID = Identifier<CreditAccount>

    package enum Owner: Sendable, Hashable {
        case user(Identity.ID)
        case app(Purpose)
    }

    /// Where an app's credits come from and go to. These have no balance of their own: it is the sum of their entries.
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

/// One line of a transaction: what it adds to an account, or takes from it. All lines of one sum to zero.
package struct CreditLine: Sendable {
    package let owner: CreditAccount.Owner
    package let bucket: Bucket
    package let amount: Int64
    /// When the credits that are given end, if they are not spent before.
    package let expiresAt: Timestamp?
    /// The transaction that gave what is taken: it is taken from those credits before others.
    package let given: CreditTransaction.ID?
    /// The transaction that took what is given back: it ends when it would have ended.
    package let taken: CreditTransaction.ID?

    package init(
        _ owner: CreditAccount.Owner, _ bucket: Bucket, _ amount: Int64, expiresAt: Timestamp? = nil,
        from given: CreditTransaction.ID? = nil, takenBy taken: CreditTransaction.ID? = nil
    ) {
        self.owner = owner
        self.bucket = bucket
        self.amount = amount
        self.expiresAt = expiresAt
        self.given = given
        self.taken = taken
    }
}

/// A line as it was written.
package struct CreditEntry: Sendable {
    package let transaction: CreditTransaction.ID
    package let account: CreditAccount
    package let amount: Int64
    /// Nil for an account of the app.
    package let balanceAfter: Int64?

    package init(transaction: CreditTransaction.ID, account: CreditAccount, amount: Int64, balanceAfter: Int64?) {
        self.transaction = transaction
        self.account = account
        self.amount = amount
        self.balanceAfter = balanceAfter
    }
}
