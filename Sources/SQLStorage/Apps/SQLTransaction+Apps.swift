import Linden
import LindenKernel

extension SQLTransaction {
    package func app(_ id: App.ID) throws -> App? {
        if let app = known.apps[id] { return app }
        let app = try connection.first(
            "SELECT \(raw: App.columns) FROM apps WHERE id = \(id) AND deleted_at IS NULL"
        ) { try App(row: $0, parsedBy: state.settings) }
        known.apps[id] = app
        return app
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
        known = KnownSettings()
        try connection.execute(
            """
            UPDATE apps SET name = \(app.name), configuration = \(JSON.object(app.configuration.values)),
                test_configuration = \(JSON.object(app.testConfiguration.values)), updated_at = \(time)
            WHERE id = \(app.id)
            """)
    }

    package func deleteApp(_ id: App.ID, at time: Timestamp) throws -> Bool {
        known = KnownSettings()
        return try connection.changesRows(
            "UPDATE apps SET deleted_at = \(time) WHERE id = \(id) AND deleted_at IS NULL")
    }

    package func scope(ofDeletedApp reference: String) throws -> Scope? {
        try connection.first(
            """
            SELECT app_id, mode FROM app_keys JOIN apps ON apps.id = app_id
            WHERE deleted_at IS NOT NULL AND (branch_key = \(reference) OR app_id = \(Int64(reference) ?? 0) AND mode = \(Mode.live)) LIMIT 1
            """
        ) { $0.scope(0) }
    }

    package func appKey(_ branchKey: String) throws -> AppKey? {
        try connection.first(
            """
            SELECT \(raw: AppKey.columns) FROM app_keys
            WHERE branch_key = \(branchKey)
                AND EXISTS (SELECT 1 FROM apps WHERE apps.id = app_keys.app_id AND apps.deleted_at IS NULL)
            """, AppKey.init(row:))
    }

    package func appKeys(of app: App.ID) throws -> [AppKey] {
        try connection.query(
            """
            SELECT \(raw: AppKey.columns) FROM app_keys WHERE app_id = \(app)
            ORDER BY mode, CASE WHEN replaced_at IS NULL THEN 0 ELSE 1 END, created_at
            """, AppKey.init(row:))
    }

    package func update(_ key: AppKey) throws {
        try connection.execute(
            """
            UPDATE app_keys SET replaced_at = \(key.replacedAt), ends_at = \(key.endsAt) WHERE branch_key = \(key.branchKey)
            """)
    }

    package func setSecret(hash: [UInt8], of scope: Scope) throws {
        try connection.execute(
            "UPDATE app_keys SET secret_hash = \(hash) WHERE app_id = \(scope.app) AND mode = \(scope.mode)")
    }

    package func formerSecrets(of app: App.ID) throws -> [FormerSecret] {
        try connection.query(
            """
            SELECT app_id, mode, hash, replaced_at, ends_at FROM former_secrets WHERE app_id = \(app)
            ORDER BY mode, replaced_at DESC
            """
        ) { FormerSecret(scope: $0.scope(0), hash: $0.blob(2), replacedAt: $0.time(3), endsAt: $0.optionalTime(4)) }
    }

    package func insert(_ secret: FormerSecret) throws {
        try connection.execute(
            """
            INSERT INTO former_secrets (app_id, mode, hash, replaced_at, ends_at)
            VALUES (\(secret.scope.app), \(secret.scope.mode), \(secret.hash), \(secret.replacedAt), \(secret.endsAt))
            """)
    }

    package func endFormerSecrets(of scope: Scope, at time: Timestamp) throws {
        try connection.execute(
            """
            UPDATE former_secrets SET ends_at = \(time)
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND (ends_at IS NULL OR ends_at > \(time))
            """)
    }

    package func deleteFormerSecrets(of scope: Scope, endedBy time: Timestamp) throws {
        try connection.execute(
            "DELETE FROM former_secrets WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND ends_at <= \(time)")
    }

    package func revokeSignedURLs(of app: App.ID) throws {
        known = KnownSettings()
        try connection.execute("UPDATE apps SET url_generation = url_generation + 1 WHERE id = \(app)")
    }

    package func insert(_ key: AppKey, at time: Timestamp) throws {
        try connection.execute(
            """
            INSERT INTO app_keys (branch_key, app_id, mode, secret_hash, created_at, replaced_at, ends_at)
            VALUES (\(key.branchKey), \(key.scope.app), \(key.scope.mode), \(key.secretHash), \(time), \(key.replacedAt), \(key.endsAt))
            """)
    }
}

extension App {
    fileprivate static let columns: StaticString = "id, name, configuration, test_configuration, url_generation, created_at"

    fileprivate init(row: any SQLRow) throws {
        self.init(
            id: row.id(0), name: row.text(1), configuration: AppConfiguration(try row.object(2)),
            testConfiguration: AppConfiguration(try row.object(3)), urlGeneration: row.integer(4), createdAt: row.time(5))
    }

    fileprivate init(row: any SQLRow, parsedBy cache: SettingsCache) throws {
        let settings = try cache.settings(of: row.id(0), live: row.text(2), test: row.text(3))
        self.init(
            id: row.id(0), name: row.text(1), configuration: settings.live, testConfiguration: settings.test,
            urlGeneration: row.integer(4), createdAt: row.time(5))
    }
}

extension AppKey {
    fileprivate static let columns: StaticString = "branch_key, app_id, mode, secret_hash, replaced_at, ends_at"

    fileprivate init(row: any SQLRow) {
        self.init(
            branchKey: row.text(0), scope: row.scope(1), secretHash: row.blob(3), replacedAt: row.optionalTime(4),
            endsAt: row.optionalTime(5))
    }
}
