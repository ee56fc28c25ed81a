import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

extension Exchange {
    /// Runs a server with limits only where `change` sets them.
    static func runLimited(
        exempt: [String] = [], _ change: (inout RateLimits) -> Void,
        _ body: @escaping @Sendable (_ exchange: Exchange, _ key: String, _ secret: String) async throws -> Void
    ) async throws {
        var limits = RateLimits(exempt: exempt.map { Network($0)! })
        change(&limits)
        try await Exchange.run(limits: limits) { exchange in
            let app = try await exchange.installation.createApp()
            try await body(exchange, app.live.key.branchKey, app.live.secret)
        }
    }

    /// The number of analytics questions, out of `tries`, that are answered.
    func answered(
        _ tries: Int, _ key: String, token: String, from address: String
    ) async throws -> Int {
        var count = 0
        for _ in 0..<tries {
            let answer = try await get(
                "/api/v1/analytics/counts?app=\(key)&from=2027-01-14&to=2027-01-15", from: address,
                headers: [HTTPField.Name("Access-Token")!: token])
            count += answer.status == 200 ? 1 : 0
        }
        return count
    }

    /// The number of links, out of `tries`, that an address succeeds in creating.
    func created(
        _ tries: Int, _ key: String, secret: String? = nil, from address: String
    ) async throws -> Int {
        var count = 0
        for _ in 0..<tries {
            var link: JSONObject = ["branch_key": .string(key)]
            if let secret { link["branch_secret"] = .string(secret) }
            count += try await post("/v1/url", .object(link), from: address).status == 200 ? 1 : 0
        }
        return count
    }
}
