import LindenKernel
import LindenServices

extension SQLTransaction {
    package func dashboardSession(hash: [UInt8]) throws -> DashboardSession? {
        try connection.first(
            """
            SELECT s.id, s.created_at, s.last_used_at, s.expires_at, \(raw: DashboardUser.columns)
            FROM dashboard_sessions s JOIN dashboard_users u ON u.id = s.user_id
            WHERE s.hash = \(hash) AND u.role IN (\(raw: DashboardUser.roles))
            """
        ) { row in
            DashboardSession(
                id: row.id(0), user: DashboardUser(row: row, from: 4), createdAt: row.time(1), lastUsedAt: row.time(2),
                expiresAt: row.time(3))
        }
    }

    package func insert(_ session: DashboardSession, hash: [UInt8]) throws {
        try connection.execute(
            """
            INSERT INTO dashboard_sessions (id, user_id, hash, created_at, last_used_at, expires_at)
            VALUES (\(session.id), \(session.user.id), \(hash), \(session.createdAt), \(session.lastUsedAt), \(session.expiresAt))
            """)
    }

    package func recordUse(of session: DashboardSession.ID, at time: Timestamp, ifUsedBy last: Timestamp) throws {
        try connection.execute(
            "UPDATE dashboard_sessions SET last_used_at = \(time) WHERE id = \(session) AND last_used_at <= \(last)")
    }

    package func deleteDashboardSession(hash: [UInt8]) throws {
        try connection.execute("DELETE FROM dashboard_sessions WHERE hash = \(hash)")
    }

    package func deleteDashboardSessions(of user: DashboardUser.ID) throws {
        try connection.execute("DELETE FROM dashboard_sessions WHERE user_id = \(user)")
    }

    package func deleteDashboardSessions(of user: DashboardUser.ID, beyond count: Int) throws {
        try connection.execute(
            """
            DELETE FROM dashboard_sessions WHERE user_id = \(user) AND id <=
                (SELECT id FROM dashboard_sessions WHERE user_id = \(user) ORDER BY id DESC LIMIT 1 OFFSET \(count))
            """)
    }

    package func deleteDashboardSessions(lastUsedBy idle: Timestamp, expiredBy time: Timestamp) throws {
        try connection.execute("DELETE FROM dashboard_sessions WHERE last_used_at <= \(idle)")
        try connection.execute("DELETE FROM dashboard_sessions WHERE expires_at <= \(time)")
    }
}
