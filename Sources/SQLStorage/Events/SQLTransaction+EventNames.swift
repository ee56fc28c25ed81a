import Linden
import LindenReporting

extension SQLTransaction {
    // A loose index scan: one index step per name, however many events have it.
    package func eventNames(of scope: Scope) throws -> [String] {
        try connection.query(
            """
            WITH RECURSIVE names (name) AS (
                SELECT MIN(name) FROM events WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                UNION ALL
                SELECT (SELECT MIN(events.name) FROM events
                    WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND events.name > names.name)
                FROM names WHERE names.name IS NOT NULL
            )
            SELECT name FROM names WHERE name IS NOT NULL LIMIT \(EventName.mostNames)
            """
        ) { $0.text(0) }
    }

    package func hasEvent(named name: String, in scope: Scope) throws -> Bool {
        try connection.hasRows(
            "SELECT 1 FROM events WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND name = \(name) LIMIT 1")
    }

    package func hasCountedEvent(named name: String, in scope: Scope) throws -> Bool {
        try connection.hasRows(
            """
            SELECT 1 FROM rollup_values WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                AND dimension = \(Dimension.name.rawValue) AND value = \(name) LIMIT 1
            """)
    }
}
