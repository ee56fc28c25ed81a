import Linden
import LindenKernel

extension SQLTransaction {
    package func rowMade(by key: String, in scope: Scope, since oldest: Timestamp) throws -> Int64? {
        try connection.first(
            Self.findRequest,
            { values in
                values.bind(scope)
                values.bind(key)
                values.bind(oldest)
            }
        ) { $0.integer(0) }
    }

    private static let findRequest = StaticSQL(
        "SELECT row_id FROM requests WHERE app_id = $1 AND mode = $2 AND request_key = $3 AND created_at >= $4")

    package func remember(_ key: String, in scope: Scope, made row: Int64, at time: Timestamp) throws {
        try connection.execute(Self.insertRequest) { values in
            values.bind(scope)
            values.bind(key)
            values.bind(row)
            values.bind(time)
        }
    }

    private static let insertRequest = StaticSQL(
        insertInto: "requests", "app_id, mode, request_key, row_id, created_at",
        "ON CONFLICT (app_id, mode, request_key) DO UPDATE SET row_id = excluded.row_id, created_at = excluded.created_at")

    package func hasRequests(before time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM requests WHERE created_at < \(time) LIMIT 1")
    }

    package func deleteRequests(before time: Timestamp, limit: Int) throws {
        try connection.execute(
            """
            DELETE FROM requests WHERE created_at <= (
                SELECT MAX(created_at) FROM (
                    SELECT created_at FROM requests WHERE created_at < \(time) ORDER BY created_at LIMIT \(limit)) AS oldest)
            """)
    }
}
