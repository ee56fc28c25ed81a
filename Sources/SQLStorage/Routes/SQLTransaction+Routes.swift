import Linden
import LindenKernel
import RoutePatterns

extension SQLTransaction {
    package func routes(of app: App.ID) throws -> [Route] {
        try connection.query(
            """
            SELECT id, syntax, link_key, pattern, target, is_modal, is_enabled, defaults FROM app_routes
            WHERE app_id = \(app) ORDER BY position
            """, Route.init(row:)
        ).compactMap { $0 }
    }

    package func insert(_ routes: [Route], of app: App.ID, before: String?, at time: Timestamp) throws -> Bool {
        // Positions must be unique after every statement, so later routes are moved below zero first.
        if let before {
            let isThere = try connection.changesRows(
                """
                UPDATE app_routes SET position = -position
                WHERE app_id = \(app) AND position >= (SELECT position FROM app_routes WHERE app_id = \(app) AND id = \(before))
                """)
            guard isThere else { return false }
        }
        for route in routes {
            guard try insert(route, of: app, at: time) else { return false }
        }
        if before != nil {
            try connection.execute(
                "UPDATE app_routes SET position = \(Int64(routes.count)) - position WHERE app_id = \(app) AND position < 0")
        }
        return true
    }

    private func insert(_ route: Route, of app: App.ID, at time: Timestamp) throws -> Bool {
        try connection.changesRows(
            """
            INSERT INTO app_routes
                (app_id, position, id, syntax, link_key, pattern, target, is_modal, is_enabled, defaults, created_at)
            VALUES (
                \(app), (SELECT COALESCE(MAX(position), 0) + 1 FROM app_routes WHERE app_id = \(app) AND position > 0),
                \(route.id), \(route.syntax.rawValue), \(route.key?.rawValue ?? ""), \(route.pattern), \(route.target),
                \(route.isModal), \(route.isEnabled), \(JSON.object(JSONObject(route.defaults))), \(time)
            )
            ON CONFLICT DO NOTHING
            """)
    }

    package func setRoute(_ id: String, of app: App.ID, isEnabled: Bool) throws -> Bool {
        try connection.changesRows(
            "UPDATE app_routes SET is_enabled = \(isEnabled) WHERE app_id = \(app) AND id = \(id)")
    }

    package func deleteRoute(_ id: String, of app: App.ID) throws -> Bool {
        try connection.changesRows("DELETE FROM app_routes WHERE app_id = \(app) AND id = \(id)")
    }
}

extension Route {
    /// Nil for a syntax that this version does not know.
    fileprivate init?(row: any SQLRow) throws {
        guard let syntax = Syntax(rawValue: row.text(1)) else { return nil }
        let key = row.text(2)
        self.init(
            id: row.text(0), syntax: syntax, key: key.isEmpty ? nil : AppLinkKey(rawValue: key), pattern: row.text(3),
            target: row.text(4), isModal: row.bool(5), isEnabled: row.bool(6), defaults: try row.object(7).routeValues)
    }
}

extension RouteValue {
    fileprivate init?(_ json: JSON) {
        switch json {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .decimal(let text):
            guard let number = Double(text) else { return nil }
            self = .decimal(number)
        case .null, .bool, .array, .object: return nil
        }
    }
}

extension JSONObject {
    fileprivate var routeValues: [String: RouteValue] {
        Dictionary(compactMap { key, value in RouteValue(value).map { (key, $0) } }, uniquingKeysWith: { $1 })
    }
}
