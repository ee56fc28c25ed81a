import Linden
import LindenKernel
import Logging

/// Counts the requests whose forwarded address is ignored because the sender is not a trusted proxy, or is unknown because a trusted proxy
/// sent no valid address.
///
/// Counts are kept in memory, and logged and added to the storage, where the command line reads them, at most once a minute. Addresses
/// beyond the capacity of ``PeriodicCounts`` are dropped: so many are clients that send the header, not proxies.
package final class ProxyFaultMonitor: Sendable {
    private struct Source: Hashable {
        let kind: ProxyFault.Kind
        let proxy: ClientAddress
    }

    private let storage: any Database
    private let clock: WallClock
    private let logger: Logger
    private let requests: PeriodicCounts<Source>

    package init(storage: any Database, clock: WallClock, logger: Logger) {
        self.storage = storage
        self.clock = clock
        self.logger = logger
        requests = PeriodicCounts(clock: clock)
    }

    /// Counts one request. Costs one look-up under a lock.
    package func record(_ kind: ProxyFault.Kind, of proxy: ClientAddress) {
        requests.add(Source(kind: kind, proxy: proxy))
    }

    /// Logs and stores the counts since the last report: the first at once, later ones at most once a minute. Must be called about once a
    /// second.
    package func report() async throws {
        let (now, requests) = (clock.now(), requests.take())
        guard !requests.isEmpty else { return }
        var faults: [ProxyFault] = []
        for kind in ProxyFault.Kind.allCases {
            let networks = requests.filter { $0.key.kind == kind }.map { ($0.key.proxy.shownNetwork.description, $0.value) }
            let found = Dictionary(networks, uniquingKeysWith: +)
                .map { ProxyFault(kind: kind, network: $0, requests: $1, firstAt: now) }
                .sorted { ($1.requests, $0.network) < ($0.requests, $1.network) }
            if !found.isEmpty { log(kind, found) }
            faults += found
        }
        try await storage.write { [faults] in try $0.add(faults, keeping: ProxyFault.capacity) }
    }

    private func log(_ kind: ProxyFault.Kind, _ faults: [ProxyFault]) {
        let shown = faults.prefix(5)
        var metadata: Logger.Metadata = [
            "requests": "\(faults.reduce(0) { $0 + $1.requests })",
            "from": "\(shown.map(\.network).joined(separator: ", "))\(faults.count > 5 ? " and \(faults.count - 5) more" : "")",
        ]
        switch kind {
        case .untrusted:
            metadata["add"] = "\(shown.map(\.setting).joined(separator: ", "))"
            logger.warning(
                """
                Forwarded addresses were ignored: they came from proxies that are not in http.trusted_proxies, and all visitors behind one \
                count as one address. If these proxies are yours, add them to http.trusted_proxies and restart.
                """, metadata: metadata)
        case .malformed:
            logger.warning(
                """
                Trusted proxies forwarded requests without the IP address of their client, so the visitors' addresses are unknown. Have the \
                proxies append it to X-Forwarded-For.
                """, metadata: metadata)
        }
    }

    /// Returns a finding for each proxy that this installation's servers have reported since the last one started, most requests first.
    package func findings() async throws -> [Finding] {
        try await storage.read { try $0.proxyFaults() }.map(\.finding)
    }
}

extension ClientAddress {
    /// The network that is logged and stored for a sender: the full address if it is private, as a proxy's usually is; otherwise only the
    /// network (/24 or /48), since the address may be a visitor's.
    fileprivate var shownNetwork: Network {
        Self.privateNetworks.contains(self)
            ? network(prefix: bytes.count * 8) : network(prefix: isIPv6 ? 48 : 24)
    }

    /// Private, shared, loopback and link-local networks (RFC 1918, 4193, 6598).
    private static let privateNetworks = NetworkSet(
        [
            "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "::1", "fc00::/7",
            "fe80::/10",
        ].compactMap(Network.init))
}
