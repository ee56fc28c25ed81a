import Foundation
import LindenKernel
import SQLStorage

/// The planner's statistics of tables that grow fast. Autovacuum looks at them once a minute. Until then, PostgreSQL takes a table that was
/// empty for one that still is, and reads all of it, or of a part of an index, for each look-up.
enum PostgresStatistics {
    static let interval: Duration = .seconds(1)
    static let longestPause: Duration = .seconds(600)

    /// The tables in which more rows were written since they were analyzed than four times those that they had then, as names in SQL; nil if
    /// there are none. Only an owner may analyze a table.
    static func outdatedTables(_ connection: any SQLConnection) throws -> String? {
        try connection.first(
            """
            SELECT string_agg(quote_ident(relname), ', ') FROM pg_class
            WHERE relnamespace = CAST(current_schema() AS REGNAMESPACE) AND relkind = 'r'
                AND pg_has_role(relowner, 'USAGE') AND pg_stat_get_mod_since_analyze(oid) > 100 + 4 * GREATEST(reltuples, 0)
            """
        ) { $0.optionalText(0) } ?? nil
    }

    /// Analyzes tables, on a thread and a connection that end with it: a reader's transaction, which is rolled back, would not keep the result.
    static func analyze(_ tables: String, _ session: PostgresSession) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let connection = try PostgresConnection(session)
                        _ = try connection.run("ANALYZE \(tables)")
                        connection.close()
                    })
            }
        }
    }

    /// Analyzes all tables that have rows. One without rows would count as empty until autovacuum looks at it.
    static func analyzeAll(_ connection: PostgresConnection) throws {
        let tables = try connection.first(
            """
            SELECT string_agg(quote_ident(relname), ', ') FROM pg_class
            WHERE relnamespace = CAST(current_schema() AS REGNAMESPACE) AND relkind = 'r' AND pg_relation_size(oid) > 0
            """
        ) { $0.optionalText(0) }
        if let tables, let tables { _ = try connection.run("ANALYZE \(tables)") }
    }
}
