import Linden
import LindenKernel
import LindenServices

extension SQLTransaction {
    package func sharedQuestions(in scope: Scope) throws -> [SharedQuestion] {
        try connection.query(
            """
            SELECT \(raw: SharedQuestion.columns) FROM shared_questions s LEFT JOIN dashboard_users u ON u.id = s.user_id
            WHERE s.app_id = \(scope.app) AND s.mode = \(scope.mode) ORDER BY s.id DESC
            """, SharedQuestion.init(row:))
    }

    package func sharedQuestion(hash: [UInt8]) throws -> SharedQuestion? {
        try connection.first(
            """
            SELECT \(raw: SharedQuestion.columns) FROM shared_questions s LEFT JOIN dashboard_users u ON u.id = s.user_id
            WHERE s.hash = \(hash)
            """, SharedQuestion.init(row:))
    }

    package func insert(_ shared: SharedQuestion, hash: [UInt8], by user: DashboardUser.ID?) throws {
        try connection.execute(
            """
            INSERT INTO shared_questions (id, app_id, mode, title, query, hash, user_id, created_at, expires_at)
            VALUES (\(shared.id), \(shared.scope.app), \(shared.scope.mode), \(shared.title), \(shared.query), \(hash), \(user),
                \(shared.createdAt), \(shared.expiresAt))
            """)
    }

    package func deleteSharedQuestion(_ id: SharedQuestion.ID, in scope: Scope) throws -> Bool {
        try connection.changesRows(
            "DELETE FROM shared_questions WHERE id = \(id) AND app_id = \(scope.app) AND mode = \(scope.mode)")
    }

    package func deleteSharedQuestions(expiredBy time: Timestamp) throws {
        try connection.execute("DELETE FROM shared_questions WHERE expires_at <= \(time)")
    }
}

extension SharedQuestion {
    /// The columns that `init(row:)` decodes, of `shared_questions` as `s` and `dashboard_users` as `u`.
    fileprivate static let columns: StaticString = "s.id, s.app_id, s.mode, s.title, s.query, u.name, s.created_at, s.expires_at"

    fileprivate init(row: any SQLRow) {
        self.init(
            id: row.id(0), scope: Scope(app: row.id(1), mode: row.integer(2) == 0 ? .live : .test), title: row.text(3),
            query: row.text(4), creator: row.optionalText(5), createdAt: row.time(6), expiresAt: row.time(7))
    }
}
