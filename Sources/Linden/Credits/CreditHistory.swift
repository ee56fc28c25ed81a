/// Which lines of a user's history are asked for.
package struct CreditHistoryQuery: Sendable {
    /// Branch's limit.
    package static let largestLength: Int64 = 100

    package enum Direction: Sendable {
        case newestFirst, oldestFirst
    }

    /// All of them if nil.
    package var bucket: Bucket?
    /// Only what comes after this transaction in the direction.
    package var after: CreditTransaction.ID?
    package var length: Int
    package var direction: Direction

    /// Fails with `invalid` for a length that is not allowed.
    package init(
        bucket: Bucket? = nil, after: CreditTransaction.ID? = nil, length: Int64? = nil, direction: Direction = .newestFirst
    ) throws {
        let length = length ?? Self.largestLength
        guard (1...Self.largestLength).contains(length) else {
            throw Failure.invalid("length must be from 1 to \(Self.largestLength).")
        }
        self.bucket = bucket
        self.after = after
        self.length = Int(length)
        self.direction = direction
    }
}

/// A line of a user's history: what one transaction did to one of his buckets.
package struct CreditRecord: Sendable {
    package let transaction: CreditTransaction
    package let bucket: Bucket
    package let amount: Int64
    package let balanceAfter: Int64
    /// The developer's ids of the other party; nil also for an anonymous one.
    package let referrer: String?
    package let referree: String?
    /// At most ``CreditCause/longestMetadata`` of it.
    package let metadata: JSONObject

    package init(
        transaction: CreditTransaction, bucket: Bucket, amount: Int64, balanceAfter: Int64, referrer: String?, referree: String?,
        metadata: JSONObject
    ) {
        self.transaction = transaction
        self.bucket = bucket
        self.amount = amount
        self.balanceAfter = balanceAfter
        self.referrer = referrer
        self.referree = referree
        self.metadata = metadata
    }
}
