import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Events with revenue, and how they are stored.
enum RevenueEvents {
    struct Row: Sendable, Equatable {
        var revenue: Int64?
        var text: String?
        var currency: String?
        var transaction: String?
    }

    static func rows(_ exchange: Exchange) async throws -> [Row] {
        try await exchange.installation.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.query(
                "SELECT revenue, revenue_text, currency, transaction_id FROM events ORDER BY id"
            ) { row in
                Row(
                    revenue: row.optionalInteger(0), text: row.optionalText(1), currency: row.optionalText(2),
                    transaction: row.optionalText(3))
            }
        }
    }

    static func load(_ exchange: Exchange, _ rates: [(code: String, daysAgo: Int64, rate: String)]) async throws {
        let today = exchange.installation.clock.now.day
        try await exchange.services.rates.load(
            rates.map {
                ExchangeRate(currency: Currency($0.code)!, base: .standard, day: today - $0.daysAgo, rate: $0.rate)
            }, base: .standard)
    }

    static func purchase(_ exchange: Exchange, _ key: String, _ data: JSONObject) async throws {
        let answer = try await exchange.post(
            "/v2/event/standard",
            [
                "branch_key": .string(key), "name": "PURCHASE", "user_data": ["developer_identity": "ann"],
                "event_data": .object(data),
            ])
        #expect(answer.status == 200)
        #expect(answer.body == #"{"branch_view_enabled":false}"#)
    }

    static func problems(_ exchange: Exchange, _ key: String) async throws -> [EventProblem] {
        let app = try await exchange.services.directory.app(branchKey: key)
        return try await exchange.services.events.problems(in: app.scope).map(\.problem)
    }
}
