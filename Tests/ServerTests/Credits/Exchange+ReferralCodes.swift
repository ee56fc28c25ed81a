import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

extension Exchange {
    /// Creates a code that gives both users ten credits and can be applied once.
    func code(of name: String, for app: CreatedApp) async throws -> String {
        let made = try await server(
            "/v1/referralcode", app, ["identity": .string(name), "amount": 10, "calculation_type": 1, "location": 3])
        return try #require(made.object["referral_code"]?.string)
    }

    /// Applies a code with the user's token only.
    func apply(_ code: String, as user: JSONObject, _ key: String) async throws -> Answer {
        try await post("/v1/applycode/\(code)", ["branch_key": .string(key), "identity_id": user["identity_id"]!])
    }

    /// The row counts of the ledger's tables.
    func books() async throws -> [Int64] {
        var counts: [Int64] = []
        for table in [
            "credit_transactions", "credit_entries", "credit_accounts", "credit_uniqueness_keys", "reward_rules", "identities",
        ] {
            counts.append(try await rows("SELECT COUNT(*) FROM \(table)"))
        }
        return counts
    }
}
