import LindenServices

extension SQLTransaction {
    package func proxyFaults() throws -> [ProxyFault] {
        try connection.query("SELECT kind, network, requests, first_at FROM proxy_faults ORDER BY requests DESC, network, kind") {
            ProxyFault(
                kind: ProxyFault.Kind(rawValue: $0.text(0)) ?? .untrusted, network: $0.text(1), requests: $0.integer(2),
                firstAt: $0.time(3))
        }
    }

    package func add(_ faults: [ProxyFault], keeping capacity: Int) throws {
        for fault in faults {
            try connection.execute(
                """
                INSERT INTO proxy_faults (network, kind, requests, first_at)
                VALUES (\(fault.network), \(fault.kind.rawValue), \(fault.requests), \(fault.firstAt))
                ON CONFLICT (network, kind) DO UPDATE SET requests = proxy_faults.requests + excluded.requests
                """)
        }
        for surplus in try proxyFaults().dropFirst(capacity) {
            try connection.execute(
                "DELETE FROM proxy_faults WHERE network = \(surplus.network) AND kind = \(surplus.kind.rawValue)")
        }
    }

    package func deleteProxyFaults() throws {
        try connection.execute("DELETE FROM proxy_faults")
    }
}
