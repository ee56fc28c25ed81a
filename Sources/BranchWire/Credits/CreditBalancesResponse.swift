import Linden

/// Bucket by bucket, as `GET /v1/credits` answers.
package enum CreditBalancesResponse {
    package static func json(_ balances: [(bucket: Bucket, balance: Int64)]) -> JSON {
        .object(JSONObject(balances.map { (key: $0.bucket.name, value: .integer($0.balance)) }))
    }
}
