import LindenKernel
import LindenLedger

/// A request of `GET|POST /v1/credithistory`.
package enum CreditHistoryRequest {
    package static func query(_ fields: RequestFields) throws -> CreditHistoryQuery {
        var after: CreditTransaction.ID?
        if let text = fields.text("begin_after_id") {
            guard let id = Int64(text), id > 0 else {
                throw Failure.invalid("begin_after_id must be the id of a transaction.")
            }
            after = CreditTransaction.ID(rawValue: id)
        }
        return try CreditHistoryQuery(
            bucket: try fields.namedBucket, after: after, length: try fields.integer("length"),
            direction: try direction(fields))
    }

    /// Parses the order of the entries: `desc` and `asc` from iOS, 0 and 1 from Android and the Web SDK.
    private static func direction(_ fields: RequestFields) throws -> CreditHistoryQuery.Direction {
        switch fields.text("direction") {
        case nil, "desc", "0": .newestFirst
        case "asc", "1": .oldestFirst
        default: throw Failure.invalid("direction must be desc or 0 (newest first), asc or 1 (oldest first).")
        }
    }
}
