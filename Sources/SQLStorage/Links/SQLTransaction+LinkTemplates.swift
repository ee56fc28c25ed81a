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
