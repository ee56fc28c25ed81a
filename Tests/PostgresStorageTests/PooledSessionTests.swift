import Linden
import LindenKernel
import LindenServices
import LindenTesting
import PostgresStorage
import SQLStorage
import Testing

/// Servers whose sessions a pooler in transaction mode may exchange between two transactions.
@Suite(.enabled(if: Engine.isPostgres)) struct PooledSessionTests {
    private static let state: SQL =
        "SELECT (SELECT COUNT(*) FROM pg_prepared_statements), current_setting('statement_timeout')"

    @Test func aTransactionBringsItsSettingsAndNoStatementIsPrepared() async throws {
        try await Installation.withFolder { folder in
            var options = PostgresOptions(readers: 1, analysts: 1, questionLimit: .seconds(7), creates: true, isServer: true)
            options.prepares = false
            try await SeveralServersTests.withStorage(folder, options) { storage in
                let scope = Scope(app: App.ID(rawValue: 1), mode: .live)
                for _ in 0..<2 {
                    let written = try await storage.write { try Self.read(($0 as! SQLTransaction).connection) }
                    let read = try await storage.read { try Self.read(($0 as! SQLTransaction).connection) }
                    let asked = try await storage.analyze(scope) { try Self.read(($0 as! SQLTransaction).connection) }
                    #expect([written, read, asked].map(\.prepared) == [0, 0, 0])
                    #expect([written, read, asked].map(\.limit) == ["30s", "30s", "7s"])
                }
            }
        }
    }

    @Test func aURLWithSettingsOfTheSessionIsRefused() throws {
        let address = try PostgresAddress("postgres://linden@127.0.0.1:1/linden?options=-csearch_path%3Dpears")
        var options = PostgresOptions()
        options.prepares = false
        let failure = #expect(throws: Failure.self) { try PostgresStorage(address: address, options: options) }
        #expect(failure?.message.contains("ALTER ROLE") == true)
    }

    private static func read(_ connection: any SQLConnection) throws -> (prepared: Int64, limit: String) {
        try connection.first(state) { ($0.integer(0), $0.text(1)) } ?? (-1, "")
    }
}
