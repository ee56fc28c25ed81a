import LindenKernel
import LindenServices

extension SQLTransaction {
    package func token(hash: [UInt8]) throws -> AccessToken? {
        try connection.first(
            """
            SELECT id, name, role, app_id, hash, created_at, revoked_at FROM access_tokens
            WHERE hash = \(hash) AND revoked_at IS NULL
            """, AccessToken.init(row:))
    }

    package func tokens() throws -> [AccessToken] {
        try connection.query(
            "SELECT id, name, role, app_id, hash, created_at, revoked_at FROM access_tokens ORDER BY id", AccessToken.init(row:))
    }

    package func insert(_ token: AccessToken) throws {
        try connection.execute(
            """
            INSERT INTO access_tokens (id, name, role, app_id, hash, created_at)
            VALUES (\(token.id), \(token.name), \(token.role.rawValue), \(token.app), \(token.hash), \(token.createdAt))
            """)
    }

    package func revokeToken(_ id: AccessToken.ID, at time: Timestamp) throws -> Bool {
        try connection.changesRows(
            "UPDATE access_tokens SET revoked_at = \(time) WHERE id = \(id) AND revoked_at IS NULL")
    }
}

extension AccessToken {
    fileprivate init(row: any SQLRow) {
        self.init(
            id: row.id(0), name: row.text(1), role: Role(rawValue: row.text(2)) ?? .analyst, app: row.optionalID(3),
            hash: row.blob(4), createdAt: row.time(5), revokedAt: row.optionalTime(6))
    }
}
