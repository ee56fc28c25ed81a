import Linden

extension SQLTransaction {
    package func untrustedProxies() throws -> [UntrustedProxy] {
        try connection.query("SELECT network, requests, first_at FROM untrusted_proxies ORDER BY requests DESC, network") {
            UntrustedProxy(network: $0.text(0), requests: $0.integer(1), firstAt: $0.time(2))
        }
    }

    package func add(_ proxies: [UntrustedProxy], keeping capacity: Int) throws {
        for proxy in proxies {
            try connection.execute(
                """
                INSERT INTO untrusted_proxies (network, requests, first_at)
                VALUES (\(proxy.network), \(proxy.requests), \(proxy.firstAt))
                ON CONFLICT (network) DO UPDATE SET requests = untrusted_proxies.requests + excluded.requests
                """)
        }
        try connection.execute(
            """
            DELETE FROM untrusted_proxies WHERE network NOT IN (
                SELECT network FROM untrusted_proxies ORDER BY requests DESC, network LIMIT \(capacity))
            """)
    }

    package func deleteUntrustedProxies() throws {
        try connection.execute("DELETE FROM untrusted_proxies")
    }
}
