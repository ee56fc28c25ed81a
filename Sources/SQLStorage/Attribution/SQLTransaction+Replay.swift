import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func sessions(from first: Session.ID, before end: Session.ID, of scope: Scope?, limit: Int) throws -> [Session] {
        guard let scope else {
            return try connection.query(
                """
                SELECT \(raw: Session.columnsWithoutData) FROM sessions
                WHERE id >= \(first) AND id < \(end) AND kind <> \(Session.Kind.userChange.rawValue)
                ORDER BY id LIMIT \(limit)
                """, Session.init(row:))
        }
        return try connection.query(
            """
            SELECT \(raw: Session.columnsWithoutData) FROM sessions
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(first) AND id < \(end)
                AND kind <> \(Session.Kind.userChange.rawValue)
            ORDER BY id LIMIT \(limit)
            """, Session.init(row:))
    }

    package func replayableSessions(from first: Session.ID, before end: Session.ID, of scope: Scope?, limit: Int) throws
        -> ReplayablePage?
    {
        func page(_ row: any SQLRow) -> ReplayablePage? {
            let sessions = Int(row.integer(0))
            return sessions == 0
                ? nil : ReplayablePage(sessions: sessions, withoutEvidence: sessions - Int(row.integer(1)), last: row.id(2))
        }
        guard let scope else {
            return try connection.first(
                """
                SELECT COUNT(*), COUNT(evidence), MAX(id) FROM (
                    SELECT id, evidence FROM sessions
                    WHERE id >= \(first) AND id < \(end) AND kind <> \(Session.Kind.userChange.rawValue)
                    ORDER BY id LIMIT \(limit)
                ) AS page
                """, page
            ).flatMap { $0 }
        }
        return try connection.first(
            """
            SELECT COUNT(*), COUNT(evidence), MAX(id) FROM (
                SELECT id, evidence FROM sessions
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(first) AND id < \(end)
                    AND kind <> \(Session.Kind.userChange.rawValue)
                ORDER BY id LIMIT \(limit)
            ) AS page
            """, page
        ).flatMap { $0 }
    }

    package func explanationsOfInstalls(from first: Session.ID, before end: Session.ID, in scope: Scope, limit: Int) throws -> [(
        session: Session.ID, explanation: StoredDecision
    )] {
        try connection.query(
            """
            SELECT id, explanation FROM sessions
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(first) AND id < \(end)
                AND kind IN (\(Session.Kind.install.rawValue), \(Session.Kind.fullAppConversion.rawValue))
            ORDER BY id LIMIT \(limit)
            """
        ) { (session: $0.id(0), explanation: try StoredDecision(json: JSON.parse($0.text(1)))) }
    }

    package func sessions(givenTo click: Click.ID, besides device: Device.ID, limit: Int) throws -> [Session] {
        try connection.query(
            """
            SELECT \(raw: Session.columns) FROM sessions
            WHERE click_id = \(click) AND device_id <> \(device) AND kind <> \(Session.Kind.web.rawValue)
            ORDER BY kind, id LIMIT \(limit)
            """, Session.init(row:))
    }

    package func hasSession(after session: Session.ID, givenTo click: Click.ID, on device: Device.ID) throws -> Bool {
        try connection.hasRows(
            "SELECT 1 FROM sessions WHERE click_id = \(click) AND id > \(session) AND device_id = \(device) LIMIT 1")
    }

    package func hasSession(after session: Session.ID, givenTo click: Click.ID, of identity: Identity.ID) throws -> Bool {
        try connection.hasRows(
            "SELECT 1 FROM sessions WHERE click_id = \(click) AND id > \(session) AND identity_id = \(identity) LIMIT 1")
    }

    package func redecide(_ session: Session, as decided: Session) throws {
        try recountLabels(of: session.id) {
            try connection.execute(
                """
                UPDATE sessions SET link_id = \(decided.link), click_id = \(decided.click), data = \(JSON.object(decided.data)),
                    explanation = \(decided.explanation.json), referring_identity_id = \(decided.referrer),
                    is_by_ad = \(decided.isByAd)
                WHERE id = \(session.id)
                """)
        }
        try recount(session, from: session.link, to: decided.link)
    }

    package func replaceLastTouch(_ click: Click.ID?, ofDevice device: Device.ID) throws {
        try connection.execute("UPDATE devices SET last_click_id = \(click) WHERE id = \(device)")
    }

    package func replaceLastTouch(_ click: Click.ID?, ofIdentity identity: Identity.ID) throws {
        try connection.execute("UPDATE identities SET last_click_id = \(click) WHERE id = \(identity)")
    }
}
