import Linden
import LindenKernel
import LindenServices

extension SQLTransaction {
    package func linkTemplates(in scope: Scope) throws -> [LinkTemplate] {
        try connection.query(
            """
            SELECT \(raw: LinkTemplate.columns) FROM link_templates
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) ORDER BY name
            """, LinkTemplate.init(row:))
    }

    package func linkTemplateSummaries(in scope: Scope) throws -> [LinkTemplateSummary] {
        try connection.query(
            """
            SELECT name, channel, feature, campaign, stage, tags, OCTET_LENGTH(data) FROM link_templates
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) ORDER BY name
            """
        ) { row in
            LinkTemplateSummary(name: row.text(0), labels: try Labels(row: row, from: 1), dataBytes: Int(row.integer(6)))
        }
    }

    package func linkTemplateNames(in scope: Scope) throws -> [String] {
        try connection.query(
            "SELECT name FROM link_templates WHERE app_id = \(scope.app) AND mode = \(scope.mode) ORDER BY name"
        ) { $0.text(0) }
    }

    package func linkTemplateUsage(in scope: Scope, except name: String) throws -> (count: Int, bytes: Int) {
        try connection.first(
            """
            SELECT COUNT(*), COALESCE(SUM(OCTET_LENGTH(data) + COALESCE(OCTET_LENGTH(tags), 0)), 0) FROM link_templates
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND name <> \(name)
            """
        ) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
    }

    package func linkTemplate(_ name: String, in scope: Scope) throws -> LinkTemplate? {
        try connection.first(
            """
            SELECT \(raw: LinkTemplate.columns) FROM link_templates
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND name = \(name)
            """, LinkTemplate.init(row:))
    }

    package func save(_ template: LinkTemplate, in scope: Scope, at time: Timestamp) throws {
        let labels = template.labels
        try connection.execute(
            """
            INSERT INTO link_templates (app_id, mode, name, channel, feature, campaign, stage, tags, data, created_at, updated_at)
            VALUES (\(scope.app), \(scope.mode), \(template.name), \(labels.channel), \(labels.feature), \(labels.campaign),
                \(labels.stage), \(labels.tagsText), \(JSON.object(template.data)), \(time), \(time))
            ON CONFLICT (app_id, mode, name) DO UPDATE
            SET channel = excluded.channel, feature = excluded.feature, campaign = excluded.campaign, stage = excluded.stage,
                tags = excluded.tags, data = excluded.data, updated_at = excluded.updated_at
            """)
    }

    package func deleteLinkTemplate(_ name: String, in scope: Scope) throws -> Bool {
        try connection.changesRows(
            "DELETE FROM link_templates WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND name = \(name)")
    }
}

extension LinkTemplate {
    fileprivate static let columns: StaticString = "name, channel, feature, campaign, stage, tags, data"

    fileprivate init(row: any SQLRow) throws {
        self.init(name: row.text(0), labels: try Labels(row: row, from: 1), data: try row.object(6))
    }
}
