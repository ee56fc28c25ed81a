import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The deletion of data after their retention.
@Suite struct RetentionTests {
    @Test func aTransactionIsRepeatedAsLongAsItsEventIsKept() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["events.unique_transactions": true])
            let key = try await exchange.installation.createApp(settings: settings).live.key.branchKey
            let retention = try Retention(days: [.events: 7])
            func purchase(_ transaction: String) async throws {
                let answer = try await exchange.post(
                    "/v2/event/standard",
                    ["branch_key": .string(key), "name": "PURCHASE", "event_data": ["transaction_id": .string(transaction)]])
                #expect(answer.status == 200)
            }
            func prune() async throws -> Int? {
                try await exchange.services.maintenance.count()
                return try await exchange.services.retention.prune(retention)[.events]
            }

            try await purchase("first")
            exchange.installation.clock.advance(by: .seconds(6 * 86400))
            try await purchase("second")
            try await purchase("first")
            #expect(try await prune() == 0)
            exchange.installation.clock.advance(by: .seconds(2 * 86400))
            #expect(try await prune() == 1)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM event_transactions") == 1)
            try await purchase("second")
            try await purchase("first")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM events") == 2)
        }
    }

    /// An order is deleted with its file, because its filter may contain personal data.
    @Test func anOrderIsForgottenWithItsFile() async throws {
        try await Exchange.run { exchange in
            let scope = try await exchange.installation.createApp().live.key.scope
            let now = exchange.installation.clock.now
            let export = ExportRequest(scope: scope, topic: .click, range: try ExportRange(from: now - .seconds(3600), to: now))
            _ = try await exchange.services.exports.order(export)
            _ = try await exchange.services.reports.order(.aggregate, [:], format: .csv, limit: nil, scope: scope)
            let orders = "SELECT (SELECT COUNT(*) FROM export_jobs) + (SELECT COUNT(*) FROM report_jobs)"
            for (days, left) in [(6, 2), (2, 0)] as [(Int64, Int64)] {
                exchange.installation.clock.advance(by: .seconds(days * 86400))
                try await exchange.services.maintenance.runOnce()
                #expect(try await exchange.rows(orders) == left)
            }
        }
    }
}
