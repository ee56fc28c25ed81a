import LindenKernel
import LindenLedger

/// The response to `GET /v1/credits`: the balance of each bucket, by the bucket's name.
package enum CreditBalancesResponse {
    package static func json(_ balances: [(bucket: Bucket, balance: Int64)]) -> JSON {
        .object(JSONObject(balances.map { (key: $0.bucket.name, value: .integer($0.balance)) }))
    }
}
