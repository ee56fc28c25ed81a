import LindenKernel
import LindenServices
import LinkRouting

extension SQLTransaction {
    package func dashboardUsers() throws -> [DashboardUser] {
        try connection.query(
            "SELECT \(raw: DashboardUser.columns) FROM dashboard_users u ORDER BY LOWER(u.name)", DashboardUser.init(row:))
    }

    package func dashboardUser(_ id: DashboardUser.ID) throws -> DashboardUser? {
        try connection.first(
            "SELECT \(raw: DashboardUser.columns) FROM dashboard_users u WHERE u.id = \(id)", DashboardUser.init(row:))
    }

    package func dashboardUser(named name: String) throws -> DashboardUser? {
        // Names are ASCII. Other letters may become some of ASCII in lower case, such as U+212A.
        guard let name = name.ifASCII else { return nil }
        return try connection.first(
            "SELECT \(raw: DashboardUser.columns) FROM dashboard_users u WHERE LOWER(u.name) = \(name.lowercased())",
            DashboardUser.init(row:))
    }

    package func dashboardUser(setUpHash: [UInt8]) throws -> DashboardUser? {
        try connection.first(
            "SELECT \(raw: DashboardUser.columns) FROM dashboard_users u WHERE u.set_up_hash = \(setUpHash)",
            DashboardUser.init(row:))
    }

    package func dashboardUser(providerSubject: String) throws -> DashboardUser? {
        try connection.first(
            "SELECT \(raw: DashboardUser.columns) FROM dashboard_users u WHERE u.provider_subject = \(providerSubject)",
            DashboardUser.init(row:))
    }

    package func insert(_ user: DashboardUser, providerSubject: String) throws -> Bool {
        try connection.changesRows(
            """
            INSERT INTO dashboard_users (id, name, role, app_id, provider_subject, created_at)
            VALUES (\(user.id), \(user.name), \(user.role.rawValue), \(user.app), \(providerSubject), \(user.createdAt))
            ON CONFLICT DO NOTHING
            """)
    }

    package func linkDashboardUser(_ id: DashboardUser.ID, toProviderSubject subject: String) throws -> Bool {
        try connection.changesRows(
            """
            UPDATE dashboard_users SET provider_subject = \(subject)
            WHERE id = \(id) AND provider_subject IS NULL
                AND NOT EXISTS (SELECT 1 FROM dashboard_users WHERE provider_subject = \(subject))
            """)
    }

    package func passwordHash(of user: DashboardUser.ID) throws -> String? {
        try connection.first("SELECT password_hash FROM dashboard_users WHERE id = \(user)") { $0.optionalText(0) } ?? nil
    }

    package func insert(_ user: DashboardUser, setUpHash: [UInt8]) throws -> Bool {
        try connection.changesRows(
            """
            INSERT INTO dashboard_users (id, name, role, app_id, set_up_hash, set_up_expires_at, created_at)
            VALUES (\(user.id), \(user.name), \(user.role.rawValue), \(user.app), \(setUpHash), \(user.setUpExpiresAt),
                \(user.createdAt))
            ON CONFLICT DO NOTHING
            """)
    }

    package func resetDashboardUser(_ id: DashboardUser.ID, setUpHash: [UInt8], expiresAt: Timestamp) throws -> Bool {
        try connection.changesRows(
            """
            UPDATE dashboard_users SET password_hash = NULL, provider_subject = NULL, set_up_hash = \(setUpHash),
                set_up_expires_at = \(expiresAt)
            WHERE id = \(id) AND disabled_at IS NULL
            """)
    }

    package func setPassword(_ passwordHash: String, setUpHash: [UInt8], at time: Timestamp) throws -> Bool {
        try connection.changesRows(
            """
            UPDATE dashboard_users SET password_hash = \(passwordHash), set_up_hash = NULL, set_up_expires_at = NULL
            WHERE set_up_hash = \(setUpHash) AND set_up_expires_at > \(time) AND disabled_at IS NULL
            """)
    }

    package func disableDashboardUser(_ id: DashboardUser.ID, at time: Timestamp) throws -> Bool {
        try connection.changesRows(
            """
            UPDATE dashboard_users SET disabled_at = \(time), set_up_hash = NULL, set_up_expires_at = NULL
            WHERE id = \(id) AND disabled_at IS NULL
            """)
    }

    package func enableDashboardUser(_ id: DashboardUser.ID) throws {
        try connection.execute("UPDATE dashboard_users SET disabled_at = NULL WHERE id = \(id)")
    }

    package func recordSignIn(_ id: DashboardUser.ID, passwordHash: String, at time: Timestamp) throws -> Bool {
        try connection.changesRows(
            """
            UPDATE dashboard_users SET last_sign_in_at = \(time)
            WHERE id = \(id) AND password_hash = \(passwordHash) AND disabled_at IS NULL AND role IN (\(raw: DashboardUser.roles))
            """)
    }
}

extension SQLTransaction {
    package func recordSignIn(_ id: DashboardUser.ID, providerSubject: String, at time: Timestamp) throws -> Bool {
        try connection.changesRows(
            """
            UPDATE dashboard_users SET last_sign_in_at = \(time)
            WHERE id = \(id) AND provider_subject = \(providerSubject) AND disabled_at IS NULL
                AND role IN (\(raw: DashboardUser.roles))
            """)
    }
}

extension DashboardUser {
    /// The columns that ``init(row:from:)`` decodes, of `dashboard_users` as `u`.
    static let columns: StaticString = """
        u.id, u.name, u.role, u.app_id, u.password_hash IS NOT NULL, u.set_up_expires_at, u.disabled_at, u.created_at, \
        u.last_sign_in_at, u.provider_subject IS NOT NULL, u.totp_secret IS NOT NULL
        """

    /// The roles that may sign in. A later patch version may have others, for which ``init(row:from:)`` has no name.
    static let roles: StaticString = "'admin', 'editor', 'analyst', 'support'"

    init(row: any SQLRow) { self.init(row: row, from: 0) }

    init(row: any SQLRow, from first: Int) {
        self.init(
            id: row.id(first), name: row.text(first + 1), role: Role(rawValue: row.text(first + 2)) ?? .analyst,
            app: row.optionalID(first + 3), hasPassword: row.bool(first + 4), hasProvider: row.bool(first + 9),
            hasSecondFactor: row.bool(first + 10),
            setUpExpiresAt: row.optionalTime(first + 5),
            disabledAt: row.optionalTime(first + 6), createdAt: row.time(first + 7), lastSignInAt: row.optionalTime(first + 8))
    }
}
