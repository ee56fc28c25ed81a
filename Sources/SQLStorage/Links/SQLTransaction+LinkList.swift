import Linden
import LindenKernel

extension SQLTransaction {
    package func firstLink(of scope: Scope, in ids: Range<Int64>, among count: Int) throws -> Int64? {
        try connection.first(
            """
            SELECT id FROM links
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(ids.lowerBound) AND id < \(ids.upperBound)
            ORDER BY id DESC LIMIT 1 OFFSET \(count - 1)
            """
        ) { $0.integer(0) }
    }

    package func links(of scope: Scope, in ids: Range<Int64>, matching filter: LinkFilter, limit: Int) throws -> [Link] {
        let (text, tag) = (filter.text.map { pattern(containing: $0) }, filter.tag.map { pattern(containing: JSON.string($0).text) })
        let ended: Int64? = switch filter.state {
        case .open: 0
        case .ended: 1
        case .deleted, nil: nil
        }
        // Parameters that may be NULL have a type, which PostgreSQL cannot guess.
        return try connection.query(
            """
            SELECT \(raw: Link.columns) FROM links
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id >= \(ids.lowerBound) AND id < \(ids.upperBound)
                AND (CAST(\(filter.channel) AS TEXT) IS NULL OR channel = \(filter.channel))
                AND (CAST(\(filter.feature) AS TEXT) IS NULL OR feature = \(filter.feature))
                AND (CAST(\(filter.campaign) AS TEXT) IS NULL OR campaign = \(filter.campaign))
                AND (CAST(\(filter.stage) AS TEXT) IS NULL OR stage = \(filter.stage))
                AND (CAST(\(tag) AS TEXT) IS NULL OR LOWER(tags) LIKE \(tag) ESCAPE '!')
                AND (CAST(\(text) AS TEXT) IS NULL OR LOWER(COALESCE(path, '')) LIKE \(text) ESCAPE '!'
                    OR LOWER(COALESCE(channel, '')) LIKE \(text) ESCAPE '!' OR LOWER(COALESCE(feature, '')) LIKE \(text) ESCAPE '!'
                    OR LOWER(COALESCE(campaign, '')) LIKE \(text) ESCAPE '!' OR LOWER(COALESCE(stage, '')) LIKE \(text) ESCAPE '!'
                    OR LOWER(COALESCE(tags, '')) LIKE \(text) ESCAPE '!' OR LOWER(data) LIKE \(text) ESCAPE '!')
                AND CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END = \(filter.state == .deleted)
                AND (CAST(\(ended) AS BIGINT) IS NULL OR \(ended) =
                    CASE WHEN expires_at <= \(now) OR used_at IS NOT NULL OR clicks_taken >= max_clicks THEN 1 ELSE 0 END)
            ORDER BY id DESC LIMIT \(limit)
            """, Link.init(row:))
    }

    /// Returns the pattern of `LIKE` that a lower-case text with these characters matches.
    private func pattern(containing text: String) -> String {
        var pattern = "%"
        for character in text.unicodeScalars {
            if ["%", "_", "!"].contains(character) { pattern.append("!") }
            // As the function LOWER of SQLite does.
            pattern += character.isASCII ? character.properties.lowercaseMapping : String(character)
        }
        return pattern + "%"
    }
}
