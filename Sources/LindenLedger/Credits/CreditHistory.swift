import LindenKernel

/// A query of an identity's credit history.
package struct CreditHistoryQuery: Sendable {
    /// The maximum number of records per query: Branch's limit.
    package static let largestLength: Int64 = 100

    package enum Direction: Sendable {
        case newestFirst, oldestFirst
    }

    /// The bucket whose records are returned; nil for all buckets.
    package var bucket: Bucket?
    /// The last record of the previous page: only records after it, in the given direction, are returned.
    package var after: CreditTransaction.ID?
    package var length: Int
    package var direction: Direction

    /// Fails with `invalid` for a length out of range.
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

/// A record of an identity's history: the change of one bucket by one transaction.
package struct CreditRecord: Sendable {
    package let transaction: CreditTransaction
    package let bucket: Bucket
    package let amount: Int64
    package let balanceAfter: Int64
    /// The developer's id of the counterparty; nil also for an anonymous one.
    package let referrer: String?
    package let referree: String?
    /// The cause's metadata, at most ``CreditCause/longestMetadata`` bytes.
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
