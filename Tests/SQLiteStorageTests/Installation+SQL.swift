import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage

extension Installation {
    /// Runs a test's own statements on the database.
    func sql<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) async throws -> Value {
        try await storage.write { try body(($0 as! SQLTransaction).connection) }
    }

    func count(_ sql: SQL) async throws -> Int64 {
        try await self.sql { try $0.first(sql) { $0.integer(0) } ?? 0 }
    }

    func texts(_ sql: SQL) async throws -> [String] {
        try await self.sql { try $0.query(sql) { $0.text(0) } }
    }
}
