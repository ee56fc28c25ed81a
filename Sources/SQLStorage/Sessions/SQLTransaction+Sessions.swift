import Linden

extension SQLTransaction {
    package func session(_ id: Session.ID) throws -> Session? {
        try connection.first(
            """
            SELECT id, app_id, mode, device_id, identity_id, kind, link_id, click_id, data, explanation FROM sessions
            WHERE id = \(id)
            """
        ) { row in
            Session(
                id: row.id(0), scope: row.scope(1), device: row.id(3), identity: row.id(4),
                kind: Session.Kind(rawValue: row.integer(5)) ?? .open, link: row.optionalID(6), click: row.optionalID(7),
                data: try row.object(8), explanation: try JSON.parse(row.text(9)))
        }
    }

    package func insert(_ session: Session) throws {
        try connection.execute(
            """
            INSERT INTO sessions (id, app_id, mode, device_id, identity_id, kind, link_id, click_id, data, explanation)
            VALUES (\(session.id), \(session.scope.app), \(session.scope.mode), \(session.device), \(session.identity),
                \(session.kind.rawValue), \(session.link), \(session.click), \(JSON.object(session.data)), \(session.explanation))
            """)
    }

    package func closeSession(_ id: Session.ID, in scope: Scope, at time: Timestamp) throws {
        try connection.execute(
            """
            UPDATE sessions SET closed_at = \(time)
            WHERE id = \(id) AND app_id = \(scope.app) AND mode = \(scope.mode) AND closed_at IS NULL
            """)
    }
}
