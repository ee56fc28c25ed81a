import LindenKernel
import LindenLedger

/// The response with the entries of a credit history: a bare array, as all SDKs expect.
package enum CreditHistoryResponse {
    package static func json(_ records: [CreditRecord]) -> JSON {
        .array(records.map(json))
    }

    private static func json(_ record: CreditRecord) -> JSON {
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
        members["referrer"] = JSON(record.referrer)
        members["referree"] = JSON(record.referree)
        return .object(members)
    }
}
