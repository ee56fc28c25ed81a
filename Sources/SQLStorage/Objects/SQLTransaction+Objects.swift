import Linden
import LindenKernel

extension SQLTransaction {
    package func object(_ canonicalIdentifier: String, in scope: Scope) throws -> UniversalObject? {
        try connection.first(
            """
            SELECT \(raw: UniversalObject.columns) FROM universal_objects
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND canonical_identifier = \(canonicalIdentifier)
            """, UniversalObject.init(row:))
    }

    package func object(_ id: UniversalObject.ID) throws -> UniversalObject? {
        try connection.first(
            "SELECT \(raw: UniversalObject.columns) FROM universal_objects WHERE id = \(id)",
            UniversalObject.init(row:))
    }

    package func objectStatus(
        _ canonicalIdentifier: String, in scope: Scope, comparedTo data: String
    ) throws -> ObjectStatus? {
        try connection.first(
            Self.findStatus,
            { values in
                values.bind(data)
                values.bind(scope)
                values.bind(canonicalIdentifier)
            }
        ) { row in
            ObjectStatus(
                id: row.id(0), isAuthenticated: row.bool(1), hasSameData: row.bool(2), length: Int(row.integer(3)))
        }
    }

    private static let findStatus = StaticSQL(
        """
        SELECT id, is_authenticated, CASE WHEN data = $1 THEN 1 ELSE 0 END, LENGTH(data) FROM universal_objects
        WHERE app_id = $2 AND mode = $3 AND canonical_identifier = $4
        """)

    package func objects(of scope: Scope, before: UniversalObject.ID?, limit: Int) throws -> [UniversalObject] {
        try connection.query(
            """
            SELECT \(raw: UniversalObject.columns) FROM universal_objects
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id < \(before?.rawValue ?? Int64.max)
            ORDER BY id DESC LIMIT \(limit)
            """, UniversalObject.init(row:))
    }

    package func authenticatedObjects(of scope: Scope, before: UniversalObject.ID?, limit: Int) throws -> [UniversalObject] {
        try connection.query(
            """
            SELECT \(raw: UniversalObject.columns) FROM universal_objects
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id < \(before?.rawValue ?? Int64.max) AND is_authenticated = 1
            ORDER BY id DESC LIMIT \(limit)
            """, UniversalObject.init(row:))
    }

    package func insert(_ object: UniversalObject, data: String, at time: Timestamp) throws {
        try connection.execute(Self.insertObject) { row in
            row.bind(object.id)
            row.bind(object.scope)
            row.bind(object.canonicalIdentifier)
            row.bind(data)
            row.bind(object.isAuthenticated)
            row.bind(time)
            row.bind(time)
        }
    }

    private static let insertObject = StaticSQL(
        insertInto: "universal_objects",
        "id, app_id, mode, canonical_identifier, data, is_authenticated, created_at, updated_at",
        """
        ON CONFLICT (app_id, mode, canonical_identifier)
        DO UPDATE SET data = excluded.data, is_authenticated = excluded.is_authenticated, updated_at = excluded.updated_at
        """)

    package func update(_ object: UniversalObject, at time: Timestamp) throws {
        try connection.execute(
            """
            UPDATE universal_objects
            SET data = \(JSON.object(object.data)), is_authenticated = \(object.isAuthenticated), updated_at = \(time)
            WHERE id = \(object.id)
            """)
    }
}

extension UniversalObject {
    fileprivate static let columns: StaticString = "id, app_id, mode, canonical_identifier, data, is_authenticated"

    fileprivate init(row: any SQLRow) throws {
        self.init(
            id: row.id(0), scope: row.scope(1), canonicalIdentifier: row.text(3), data: try row.object(4),
            isAuthenticated: row.bool(5))
    }
}
