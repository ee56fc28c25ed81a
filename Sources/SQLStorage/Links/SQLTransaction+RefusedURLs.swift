import Linden
import LindenKernel

extension SQLTransaction {
    package func refusedURLs(of scope: Scope) throws -> [RefusedURL] {
        try connection.query(
            """
            SELECT app_id, mode, host, visits, first_at, last_at FROM refused_urls
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) ORDER BY visits DESC, host
            """
        ) {
            RefusedURL(scope: $0.scope(0), host: $0.text(2), visits: $0.integer(3), firstAt: $0.time(4), lastAt: $0.time(5))
        }
    }

    package func add(_ urls: [RefusedURL], keeping capacity: Int, since oldest: Timestamp) throws {
        for url in urls {
            try connection.execute(
                """
                INSERT INTO refused_urls (app_id, mode, host, visits, first_at, last_at)
                VALUES (\(url.scope.app), \(url.scope.mode), \(url.host), \(url.visits), \(url.firstAt), \(url.lastAt))
                ON CONFLICT (app_id, mode, host)
                DO UPDATE SET visits = refused_urls.visits + excluded.visits, last_at = excluded.last_at
                """)
        }
        for scope in Set(urls.map(\.scope)) {
            try connection.execute(
                """
                DELETE FROM refused_urls
                WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND (last_at < \(oldest) OR host NOT IN (
                    SELECT host FROM refused_urls WHERE app_id = \(scope.app) AND mode = \(scope.mode)
                    ORDER BY visits DESC, host LIMIT \(capacity)))
                """)
        }
    }
}
