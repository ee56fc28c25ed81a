import Linden
import LindenKernel

extension SQLTransaction {
    package func domain(_ host: String) throws -> Domain? {
        try connection.first(
            "SELECT host, app_id, mode, root_url, not_found_url, expired_url FROM domains WHERE host = \(host)", Domain.init(row:))
    }

    package func domains(of scope: Scope) throws -> [String] {
        try connection.query(
            """
            SELECT host FROM domains WHERE app_id = \(scope.app) AND mode = \(scope.mode) ORDER BY created_at, host
            """
        ) { $0.text(0) }
    }

    package func hosts() throws -> [String] { try connection.query("SELECT host FROM domains ORDER BY host") { $0.text(0) } }

    package func domains(of app: App.ID?, _ mode: Mode?, after host: String, limit: Int) throws -> [Domain] {
        guard let app else {
            return try connection.query(
                """
                SELECT host, app_id, mode, root_url, not_found_url, expired_url FROM domains WHERE host > \(host)
                ORDER BY host LIMIT \(limit)
                """, Domain.init(row:))
        }
        // The parameter that may be NULL is cast, since PostgreSQL cannot infer its type.
        return try connection.query(
            """
            SELECT host, app_id, mode, root_url, not_found_url, expired_url FROM domains
            WHERE app_id = \(app) AND (CAST(\(mode) AS BIGINT) IS NULL OR mode = \(mode)) AND host > \(host)
            ORDER BY host LIMIT \(limit)
            """, Domain.init(row:))
    }

    package func insert(_ domain: Domain, at time: Timestamp) throws -> Bool {
        try connection.changesRows(
            """
            INSERT INTO domains (host, app_id, mode, created_at)
            VALUES (\(domain.host), \(domain.scope.app), \(domain.scope.mode), \(time))
            ON CONFLICT (host) DO NOTHING
            """)
    }

    package func update(_ domain: Domain) throws {
        try connection.execute(
            """
            UPDATE domains
            SET root_url = \(domain.pages.rootURL), not_found_url = \(domain.pages.notFoundURL), expired_url = \(domain.pages.expiredURL)
            WHERE host = \(domain.host)
            """)
    }

    package func associatedApps(of host: String) throws -> [App.ID] {
        try connection.query("SELECT app_id FROM associated_apps WHERE host = \(host) ORDER BY created_at, app_id") { $0.id(0) }
    }

    package func associate(_ app: App.ID, with host: String, at time: Timestamp) throws -> Bool {
        try connection.changesRows(
            """
            INSERT INTO associated_apps (host, app_id, created_at) VALUES (\(host), \(app), \(time))
            ON CONFLICT (host, app_id) DO NOTHING
            """)
    }

    package func dissociate(_ app: App.ID, from host: String) throws -> Bool {
        try connection.changesRows("DELETE FROM associated_apps WHERE host = \(host) AND app_id = \(app)")
    }

    package func deleteDomain(_ host: String) throws -> Bool {
        try connection.execute("DELETE FROM associated_apps WHERE host = \(host)")
        return try connection.changesRows("DELETE FROM domains WHERE host = \(host)")
    }

    package func deleteDomains(of app: App.ID) throws {
        try connection.execute(
            "DELETE FROM associated_apps WHERE host IN (SELECT host FROM domains WHERE app_id = \(app))")
        try connection.execute("DELETE FROM associated_apps WHERE app_id = \(app)")
        try connection.execute("DELETE FROM domains WHERE app_id = \(app)")
    }
}

extension Domain {
    fileprivate init(row: any SQLRow) {
        self.init(
            host: row.text(0), scope: row.scope(1),
            pages: DomainPages(rootURL: row.optionalText(3), notFoundURL: row.optionalText(4), expiredURL: row.optionalText(5)))
    }
}
