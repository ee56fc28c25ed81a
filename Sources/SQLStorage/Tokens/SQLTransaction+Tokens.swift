import Linden
import LindenKernel
import LindenServices

extension SQLTransaction {
    package func token(hash: [UInt8]) throws -> AccessToken? {
        try connection.first(
            """
            SELECT \(raw: AccessToken.columns) FROM access_tokens
            WHERE (hash = \(hash) OR (former_hash = \(hash) AND former_ends_at > \(now)))
                AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > \(now))
                AND role IN ('admin', 'editor', 'analyst', 'support', 'ingest')
            """, AccessToken.init(row:))
    }

    package func tokens() throws -> [AccessToken] {
        try connection.query(
            "SELECT \(raw: AccessToken.columns) FROM access_tokens ORDER BY id", AccessToken.init(row:))
    }

    package func tokens(
        of app: App.ID?, includesGeneral: Bool, after id: AccessToken.ID?, limit: Int
    ) throws -> [AccessToken] {
        // A parameter that may be NULL is cast, since PostgreSQL cannot infer its type.
        try connection.query(
            """
            SELECT \(raw: AccessToken.columns) FROM access_tokens
            WHERE id > \(id?.rawValue ?? 0) AND (CAST(\(app) AS BIGINT) IS NULL OR app_id = \(app)
                OR (1 = \(includesGeneral) AND app_id IS NULL))
            ORDER BY id LIMIT \(limit)
            """, AccessToken.init(row:))
    }

    package func token(_ id: AccessToken.ID) throws -> AccessToken? {
        try connection.first(
            "SELECT \(raw: AccessToken.columns) FROM access_tokens WHERE id = \(id)",
            AccessToken.init(row:))
    }

    package func validTokenCount(of app: App.ID, at time: Timestamp) throws -> Int64 {
        try connection.first(
            """
            SELECT COUNT(*) FROM access_tokens
            WHERE app_id = \(app) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > \(time))
            """
        ) { $0.integer(0) } ?? 0
    }

    package func deleteFormerTokens(of app: App.ID, keeping count: Int, at time: Timestamp) throws {
        try connection.execute(
            """
            DELETE FROM access_tokens WHERE id IN (
                SELECT id FROM access_tokens WHERE app_id = \(app) AND (revoked_at IS NOT NULL OR expires_at <= \(time))
                ORDER BY id DESC LIMIT 1000 OFFSET \(count))
            """)
    }

    package func insert(_ token: AccessToken) throws {
        try connection.execute(
            """
            INSERT INTO access_tokens (id, name, role, app_id, hash, created_at, expires_at)
            VALUES (\(token.id), \(token.name), \(token.role.rawValue), \(token.app), \(token.hash), \(token.createdAt),
                \(token.expiresAt))
            """)
    }

    package func rotate(
        _ token: AccessToken, to hash: [UInt8], formerEndsAt: Timestamp?, expiresAt: Timestamp?, at time: Timestamp
    ) throws -> Bool {
        let former = formerEndsAt == nil ? nil : token.hash
        return try connection.changesRows(
            """
            UPDATE access_tokens SET hash = \(hash), former_hash = \(former), former_ends_at = \(formerEndsAt),
                expires_at = \(expiresAt), rotated_at = \(time)
            WHERE id = \(token.id) AND hash = \(token.hash) AND revoked_at IS NULL
            """)
    }

    package func setLastUse(of id: AccessToken.ID, at time: Timestamp, unlessAfter last: Timestamp) throws {
        try connection.execute(
            """
            UPDATE access_tokens SET last_used_at = \(time)
            WHERE id = \(id) AND (last_used_at IS NULL OR last_used_at <= \(last) OR last_used_at > \(time))
            """)
    }

    package func revokeToken(_ id: AccessToken.ID, at time: Timestamp) throws -> Bool {
        try connection.changesRows(
            "UPDATE access_tokens SET revoked_at = \(time) WHERE id = \(id) AND revoked_at IS NULL")
    }
}

extension AccessToken {
    fileprivate static let columns: StaticString =
        """
        id, name, role, app_id, hash, created_at, revoked_at, expires_at, last_used_at, rotated_at, former_ends_at
        """

    fileprivate init(row: any SQLRow) {
        self.init(
            id: row.id(0), name: row.text(1), role: Role(rawValue: row.text(2)) ?? .ingest, app: row.optionalID(3),
            hash: row.blob(4), createdAt: row.time(5), revokedAt: row.optionalTime(6), expiresAt: row.optionalTime(7),
            lastUsedAt: row.optionalTime(8), rotatedAt: row.optionalTime(9), formerEndsAt: row.optionalTime(10))
    }
}
