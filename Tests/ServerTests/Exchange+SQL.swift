import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

extension Exchange {
    /// The first integer that a query returns.
    func rows(_ sql: String) async throws -> Int64 {
        try await installation.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.first(SQL(text: sql, values: [])) { $0.integer(0) } ?? 0
        }
    }

    /// Changes rows.
    func change(_ sql: String) async throws {
        try await installation.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.execute(SQL(text: sql, values: []))
        }
    }
}
