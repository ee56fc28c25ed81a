import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func lastLink(of scope: Scope, in ids: Range<Int64>, order: LinkOrder, among count: Int) throws -> Int64? {
        try connection.first(
            """
            SELECT id FROM links
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(ids.lowerBound) AND id < \(ids.upperBound)
            ORDER BY id \(raw: order.direction) LIMIT 1 OFFSET \(count - 1)
            """
        ) { $0.integer(0) }
    }

    package func links(
        of scope: Scope, in ids: Range<Int64>, matching filter: LinkFilter, order: LinkOrder, limit: Int
    ) throws -> [Link] {
        let text = filter.text.map { lowered($0) }
        // Tags are stored as a JSON array of strings.
        let tag = filter.tag.map { lowered(JSON.string($0).text) }
        let hasEnded: Bool? = filter.state == .open ? false : filter.state == .ended ? true : nil
        let isDeleted = filter.state == .deleted
        // A deleted link is found as such, whether it was archived or not.
        let isArchived: Bool? = isDeleted ? nil : filter.state == .archived
        // A parameter that may be NULL is cast, since PostgreSQL cannot infer its type.
        return try connection.query(
            """
            SELECT \(raw: Link.columns) FROM links
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(ids.lowerBound) AND id < \(ids.upperBound)
                AND (CAST(\(filter.channel) AS TEXT) IS NULL OR channel = \(filter.channel))
                AND (CAST(\(filter.feature) AS TEXT) IS NULL OR feature = \(filter.feature))
                AND (CAST(\(filter.campaign) AS TEXT) IS NULL OR campaign = \(filter.campaign))
                AND (CAST(\(filter.stage) AS TEXT) IS NULL OR stage = \(filter.stage))
                AND (CAST(\(filter.folder) AS TEXT) IS NULL OR folder = \(filter.folder))
                AND (CAST(\(tag) AS TEXT) IS NULL OR STRPOS(LOWER(tags), \(tag)) > 0)
                AND (CAST(\(text) AS TEXT) IS NULL OR STRPOS(LOWER(COALESCE(path, '')), \(text)) > 0
                    OR STRPOS(LOWER(COALESCE(channel, '')), \(text)) > 0 OR STRPOS(LOWER(COALESCE(feature, '')), \(text)) > 0
                    OR STRPOS(LOWER(COALESCE(campaign, '')), \(text)) > 0 OR STRPOS(LOWER(COALESCE(stage, '')), \(text)) > 0
                    OR STRPOS(LOWER(COALESCE(tags, '')), \(text)) > 0 OR STRPOS(LOWER(data), \(text)) > 0)
                AND CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END = \(isDeleted)
                AND (CAST(\(isArchived) AS BIGINT) IS NULL OR is_archived = \(isArchived))
                AND (CAST(\(hasEnded) AS BIGINT) IS NULL OR \(hasEnded) = CASE WHEN expires_at <= \(now)
                    OR (used_at IS NOT NULL AND is_one_time_use = 1) OR clicks_taken >= max_clicks THEN 1 ELSE 0 END)
            ORDER BY id \(raw: order.direction) LIMIT \(limit)
            """
        ) { try Link(row: $0, data: [:]) }
    }

    package func folders(of scope: Scope, after name: String, limit: Int) throws -> [String] {
        var folders: [String] = []
        // Each is one step in an index, however many links a folder has.
        while folders.count < limit,
            let next = try connection.first(
                """
                SELECT folder FROM links
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND folder > \(folders.last ?? name) AND deleted_at IS NULL
                ORDER BY folder LIMIT 1
                """, { $0.text(0) })
        {
            folders.append(next)
        }
        return folders
    }

    /// Returns a text in lower case as the function `LOWER` of a database has it: only ASCII letters.
    func lowered(_ text: String) -> String {
        var lowered = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            lowered.append(("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
        }
        return String(lowered)
    }
}

extension LinkOrder {
    fileprivate var direction: StaticString {
        switch self {
        case .newest: "DESC"
        case .oldest: "ASC"
        }
    }
}
