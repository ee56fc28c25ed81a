import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func lastSession(of scope: Scope, in ids: Range<Int64>, among count: Int) throws -> Int64? {
        try connection.first(
            """
            SELECT id FROM sessions
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(ids.lowerBound) AND id < \(ids.upperBound)
            ORDER BY id DESC LIMIT 1 OFFSET \(count - 1)
            """
        ) { $0.integer(0) }
    }

    package func sessions(
        of scope: Scope, in ids: Range<Int64>, matching filter: SessionFilter, limit: Int
    ) throws -> [SessionSummary] {
        let text = filter.text.map { lowered($0) }
        let channel = filter.channel.map { lowered(#""~channel":"# + JSON.string($0).text) }
        // The explanation is JSON that begins with its outcome, see ``StoredDecision/json``.
        let outcome = filter.outcome.map { #"{"outcome":"\#($0.rawValue)"%"# }
        let (kind, link, platform) = (filter.kind?.rawValue, filter.link?.rawValue, filter.platform?.rawValue)
        // A parameter that may be NULL is cast, since PostgreSQL cannot infer its type.
        return try connection.query(
            """
            SELECT id, app_id, mode, kind, link_id, click_id, explanation FROM sessions
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(ids.lowerBound) AND id < \(ids.upperBound)
                AND (CAST(\(outcome) AS TEXT) IS NULL OR explanation LIKE \(outcome))
                AND (CAST(\(kind) AS BIGINT) IS NULL OR kind = CAST(\(kind) AS BIGINT))
                AND (CAST(\(link) AS BIGINT) IS NULL OR link_id = CAST(\(link) AS BIGINT))
                AND (CAST(\(platform) AS TEXT) IS NULL OR \(platform) = (
                    SELECT CASE WHEN is_browser = 1 THEN 'web' WHEN LOWER(os) = 'ios' THEN 'ios'
                        WHEN LOWER(os) = 'android' THEN 'android' ELSE 'other' END
                    FROM devices WHERE devices.id = sessions.device_id))
                AND (CAST(\(channel) AS TEXT) IS NULL OR STRPOS(LOWER(data), \(channel)) > 0)
                AND (CAST(\(text) AS TEXT) IS NULL OR STRPOS(LOWER(data), \(text)) > 0)
            ORDER BY id DESC LIMIT \(limit)
            """
        ) { row in
            let decision = try StoredDecision(json: JSON.parse(row.text(6)))
            return SessionSummary(
                id: row.id(0), scope: row.scope(1), kind: Session.Kind(rawValue: row.integer(3)) ?? .open, link: row.optionalID(4),
                click: row.optionalID(5), outcome: decision.outcome, matcher: decision.matcher)
        }
    }
}
