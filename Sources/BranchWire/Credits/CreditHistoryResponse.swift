import LindenKernel
import LindenLedger

/// The response with the entries of a credit history: a bare array, as all SDKs expect.
package enum CreditHistoryResponse {
    /// - Parameter showsNames: whether the names of other users, referrers and referred users, are shown.
    package static func json(_ records: [CreditRecord], showsNames: Bool) -> JSON {
        .array(records.map { json($0, showsNames: showsNames) })
    }

    private static func json(_ record: CreditRecord, showsNames: Bool) -> JSON {
        var members: JSONObject = [
            "transaction": [
                "date": .string(record.transaction.id.time.iso8601),
                "id": .string(String(record.transaction.id.rawValue)),
                "bucket": .string(record.bucket.name),
                "type": .integer(record.transaction.kind.rawValue),
                "amount": .integer(record.amount),
            ]
        ]
        if let name = record.transaction.cause.eventName {
            members["event"] = ["name": .string(name), "metadata": .object(record.metadata)]
        }
        members["referrer"] = showsNames ? JSON(record.referrer) : .null
        members["referree"] = showsNames ? JSON(record.referree) : .null
        return .object(members)
    }
}
