import Linden
import LindenKernel

extension SQLTransaction {
    package func session(_ id: Session.ID) throws -> Session? {
        try connection.first(
            """
            SELECT \(raw: Session.columns) FROM sessions
            WHERE id = \(id)
            """, Session.init(row:))
    }

    package func sessionReference(_ id: Session.ID) throws -> SessionReference? {
        try connection.first(Self.findReference, { $0.bind(id) }, SessionReference.init(row:))
    }

    private static let findReference = StaticSQL("SELECT \(SessionReference.columns) FROM sessions WHERE id = $1")

    package func sessionRecord(_ id: Session.ID) throws -> SessionRecord? {
        try connection.first(
            """
            SELECT \(raw: SessionReference.columns), kind, referring_identity_id, data FROM sessions WHERE id = \(id)
            """
        ) { row in
            SessionRecord(
                reference: SessionReference(row: row), kind: Session.Kind(rawValue: row.integer(6)) ?? .open,
                referrer: row.optionalID(7), dataText: row.text(8))
        }
    }

    /// Reads the first session of each kind: anyone may have opened very many by the id of a click.
    package func session(claiming click: Click.ID, isPage: Bool) throws -> SessionReference? {
        let kinds = Session.Kind.allCases.filter { $0 != .userChange && ($0 == .web) == isPage }
        let first = try kinds.compactMap { kind in
            try connection.first(
                """
                SELECT \(raw: SessionReference.columns) FROM sessions
                WHERE click_id = \(click) AND kind = \(kind.rawValue) ORDER BY id LIMIT 1
                """, SessionReference.init(row:))
        }
        return first.min { $0.id < $1.id }
    }

    package func insert(_ session: Session) throws -> (data: Int, decision: Int) {
        let data = JSON.object(session.data).text
        let explanation = session.explanation.json.text
        let evidence = session.evidence?.json.text
        try connection.execute(Self.insertSession) { row in
            row.bind(session.id.rawValue)
            row.bind(session.scope.app.rawValue)
            row.bind(session.scope.mode.rawValue)
            row.bind(session.device.rawValue)
            row.bind(session.identity.rawValue)
            row.bind(session.kind.rawValue)
            row.bind(session.link?.rawValue)
            row.bind(session.click?.rawValue)
            row.bind(data)
            row.bind(explanation)
            row.bind(session.referrer?.rawValue)
            row.bind(evidence)
            row.bind(session.isByAd)
        }
        return (data.utf8.count, explanation.utf8.count + (evidence?.utf8.count ?? 0))
    }

    private static let insertSession = StaticSQL(insertInto: "sessions", "\(Session.columns)")

    package func update(_ id: Session.ID, data: JSONObject, explanation: StoredDecision, evidence: Evidence) throws {
        try recountLabels(of: id) {
            try connection.execute(
                """
                UPDATE sessions SET data = \(JSON.object(data)), explanation = \(explanation.json), evidence = \(evidence.json),
                    is_by_ad = \(explanation.ad != nil)
                WHERE id = \(id)
                """)
        }
    }

    package func referrals(by identity: Identity.ID, kind: Session.Kind) throws -> ReferralCount {
        try connection.first(
            """
            SELECT COUNT(*), COUNT(DISTINCT identity_id) FROM (
                SELECT identity_id FROM sessions
                WHERE referring_identity_id = \(identity)
                    AND kind IN (\(kind.rawValue), \((kind == .install ? .fullAppConversion : kind).rawValue))
                LIMIT \(ReferralCount.most)) AS counted
            """
        ) { ReferralCount(total: $0.integer(0), unique: $0.integer(1)) } ?? ReferralCount()
    }

    package func closeSession(_ id: Session.ID, in scope: Scope, at time: Timestamp) throws {
        try connection.execute(
            """
            UPDATE sessions SET closed_at = \(time)
            WHERE id = \(id) AND app_id = \(scope.app) AND mode = \(scope.mode) AND closed_at IS NULL
            """)
    }
}

extension SessionReference {
    fileprivate static let columns: StaticString = "id, app_id, mode, device_id, identity_id, click_id"

    fileprivate init(row: any SQLRow) {
        self.init(id: row.id(0), scope: row.scope(1), device: row.id(3), identity: row.id(4), click: row.optionalID(5))
    }
}

extension Session {
    static let columns: StaticString = """
        id, app_id, mode, device_id, identity_id, kind, link_id, click_id, data, explanation, referring_identity_id, evidence, is_by_ad
        """

    /// The columns of a session whose data is not needed, and is empty.
    static let columnsWithoutData: StaticString = """
        id, app_id, mode, device_id, identity_id, kind, link_id, click_id, '{}', explanation, referring_identity_id, evidence, is_by_ad
        """

    init(row: any SQLRow) throws {
        self.init(
            id: row.id(0), scope: row.scope(1), device: row.id(3), identity: row.id(4),
            kind: Session.Kind(rawValue: row.integer(5)) ?? .open, link: row.optionalID(6), click: row.optionalID(7),
            referrer: row.optionalID(10), data: try row.object(8), explanation: try StoredDecision(json: JSON.parse(row.text(9))),
            evidence: try row.optionalText(11).flatMap { Evidence(json: try JSON.parse($0)) })
    }
}
