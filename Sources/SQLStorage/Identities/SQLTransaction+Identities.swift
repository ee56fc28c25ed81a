import Linden
import LindenKernel
import LinkRouting

extension SQLTransaction {
    package func identity(_ id: Identity.ID) throws -> Identity? {
        try connection.first(Self.findIdentity, { $0.bind(id) }, { Identity(row: $0) })
    }

    private static let findIdentity = StaticSQL("SELECT \(Identity.columns) FROM identities WHERE id = $1")

    package func identity(_ developerIdentity: String, in scope: Scope) throws -> Identity? {
        try connection.first(
            """
            SELECT \(raw: Identity.columns) FROM identities
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND developer_identity = \(developerIdentity)
            """, { Identity(row: $0) })
    }

    package func firstSessionData(of id: Identity.ID) throws -> JSONObject? {
        let text = try connection.first("SELECT first_session_data FROM identities WHERE id = \(id)") { $0.optionalText(0) }
        return try text.flatMap { $0 }.flatMap { try JSON.parse($0).object }
    }

    package func hasFirstSessionLink(_ id: Identity.ID) throws -> Bool {
        let text = try connection.first("SELECT first_session_data FROM identities WHERE id = \(id)") { $0.optionalText(0) }
        // A quotation mark inside a string is escaped, so these bytes are a member, and only a session with a link has it.
        return text.flatMap { $0 }?.hasBytes(of: "\"+clicked_branch_link\":true") ?? false
    }

    package func copyFirstSessionData(from session: Session, replaces: Bool) throws {
        try connection.execute(
            """
            UPDATE identities SET first_session_data = (SELECT data FROM sessions WHERE id = \(session.id))
            WHERE id = \(session.identity) AND (first_session_data IS NULL OR \(replaces) = 1)
            """)
    }

    package func replaceFirstSessionData(_ data: JSONObject, of id: Identity.ID) throws {
        try connection.execute("UPDATE identities SET first_session_data = \(JSON.object(data)) WHERE id = \(id)")
    }

    package func referrer(of id: Identity.ID) throws -> Identity.ID? {
        try connection.first("SELECT referring_identity_id FROM identities WHERE id = \(id)") { $0.optionalID(0) } ?? nil
    }

    package func setReferrer(_ referrer: Identity.ID, of id: Identity.ID) throws {
        try connection.execute(
            """
            UPDATE identities SET referring_identity_id = \(referrer) WHERE id = \(id) AND referring_identity_id IS NULL
            """)
    }

    package func insert(_ identity: Identity, at time: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO identities (id, app_id, mode, developer_identity, created_at)
            VALUES (\(identity.id), \(identity.scope.app), \(identity.scope.mode), \(identity.developerIdentity), \(time))
            """)
    }

    package func insert(
        _ identity: Identity, on device: Device, firstSession session: Session.ID?, referrer: Identity.ID?, lastClick: Click.ID?,
        at time: Timestamp
    ) throws {
        try connection.execute(Self.insertUser) { row in
            row.bind(identity.id.rawValue)
            row.bind(identity.scope.app.rawValue)
            row.bind(identity.scope.mode.rawValue)
            row.bind(identity.developerIdentity)
            row.bind(time.milliseconds)
            row.bind(lastClick?.rawValue)
            row.bind(referrer?.rawValue)
            row.bind(device.id.rawValue)
            row.bind(session?.rawValue)
        }
        try insertRow(of: device, lastClick: lastClick, at: time)
    }

    /// The parameters of the session are copied within the database.
    private static let insertUser = StaticSQL(
        """
        INSERT INTO identities (id, app_id, mode, developer_identity, created_at, last_click_id, referring_identity_id,
            first_device_id, first_session_data)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, (SELECT data FROM sessions WHERE id = $9))
        """)

    package func name(_ id: Identity.ID, as developerIdentity: String) throws -> Bool {
        try connection.changesRows(
            """
            UPDATE identities SET developer_identity = \(developerIdentity)
            WHERE id = \(id) AND developer_identity IS NULL AND NOT EXISTS (
                SELECT 1 FROM identities AS other
                WHERE other.app_id = identities.app_id AND other.mode = identities.mode
                    AND other.developer_identity = \(developerIdentity))
            """)
    }
}

extension Identity {
    fileprivate static let columns: StaticString = "id, app_id, mode, developer_identity, last_click_id"

    /// - Parameter column: the first of the columns of the identity.
    init(row: any SQLRow, from column: Int = 0) {
        self.init(
            id: row.id(column), scope: row.scope(column + 1), developerIdentity: row.optionalText(column + 3),
            lastClick: row.optionalID(column + 4))
    }
}
