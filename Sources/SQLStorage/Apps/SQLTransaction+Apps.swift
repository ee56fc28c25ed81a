import Linden

extension SQLTransaction {
    package func app(_ id: App.ID) throws -> App? {
        try connection.first(
            "SELECT \(raw: App.columns) FROM apps WHERE id = \(id) AND deleted_at IS NULL", App.init(row:))
    }

    package func apps() throws -> [App] {
        try connection.query(
            "SELECT \(raw: App.columns) FROM apps WHERE deleted_at IS NULL ORDER BY id", App.init(row:))
    }

    package func appsWithoutDomain(_ mode: Mode) throws -> [App] {
        try connection.query(
            """
            SELECT \(raw: App.columns) FROM apps
            WHERE deleted_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM domains WHERE domains.app_id = apps.id AND domains.mode = \(mode))
            ORDER BY id
            """, App.init(row:))
    }

    package func insert(_ app: App) throws {
        try connection.execute(
            """
            INSERT INTO apps (id, name, configuration, test_configuration, created_at, updated_at)
            VALUES (\(app.id), \(app.name), \(JSON.object(app.configuration.values)),
                \(JSON.object(app.testConfiguration.values)), \(app.createdAt), \(app.createdAt))
            """)
    }

    package func update(_ app: App, at time: Timestamp) throws {
        try connection.execute(
            """
            UPDATE apps SET name = \(app.name), configuration = \(JSON.object(app.configuration.values)),
                test_configuration = \(JSON.object(app.testConfiguration.values)), updated_at = \(time)
            WHERE id = \(app.id)
            """)
    }

    package func deleteApp(_ id: App.ID, at time: Timestamp) throws -> Bool {
        try connection.hasRows(
            "UPDATE apps SET deleted_at = \(time) WHERE id = \(id) AND deleted_at IS NULL RETURNING id")
    }

    package func appKey(_ branchKey: String) throws -> AppKey? {
        try connection.first(
            """
            SELECT branch_key, app_id, mode, secret_hash FROM app_keys
            WHERE branch_key = \(branchKey)
                AND EXISTS (SELECT 1 FROM apps WHERE apps.id = app_keys.app_id AND apps.deleted_at IS NULL)
            """, AppKey.init(row:))
    }

    package func appKeys(of app: App.ID) throws -> [AppKey] {
        try connection.query(
            "SELECT branch_key, app_id, mode, secret_hash FROM app_keys WHERE app_id = \(app) ORDER BY mode, created_at",
            AppKey.init(row:))
    }

    package func insert(_ key: AppKey, at time: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO app_keys (branch_key, app_id, mode, secret_hash, created_at)
            VALUES (\(key.branchKey), \(key.scope.app), \(key.scope.mode), \(key.secretHash), \(time))
            """)
    }
}

extension App {
    fileprivate static let columns: StaticString = "id, name, configuration, test_configuration, created_at"

    fileprivate init(row: any SQLRow) throws {
        self.init(
            id: row.id(0), name: row.text(1), configuration: AppConfiguration(try row.object(2)),
            testConfiguration: AppConfiguration(try row.object(3)), createdAt: row.time(4))
    }
}

extension AppKey {
    fileprivate init(row: any SQLRow) {
        self.init(branchKey: row.text(0), scope: row.scope(1), secretHash: row.blob(3))
    }
}
