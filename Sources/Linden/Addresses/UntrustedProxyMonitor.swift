import Logging
import Synchronization

/// Counts the requests whose forwarded address is ignored because their sender is not a trusted proxy.
///
/// Counted in memory, and at most once a minute logged and added to the storage, where the command line reads it.
package final class UntrustedProxyMonitor: Sendable {
    private struct State {
        var requests: [ClientAddress: Int64] = [:]
        var reportedAt: Timestamp?
    }

    /// Addresses that are counted between two reports. More than that are clients that write the header, not proxies.
    private static let capacity = 1000
    private static let interval: Duration = .seconds(60)

    private let storage: any Storage
    private let clock: WallClock
    private let logger: Logger
    private let state = Mutex(State())

    package init(storage: any Storage, clock: WallClock, logger: Logger) {
        self.storage = storage
        self.clock = clock
        self.logger = logger
    }

    /// Counts one request. Cheap: one look-up under a lock.
    package func record(_ peer: ClientAddress) {
        state.withLock { state in
            guard state.requests.count < Self.capacity || state.requests[peer] != nil else { return }
            state.requests[peer, default: 0] += 1
        }
    }

    /// Logs and stores what was counted since the last report: at once the first time, later at most once a minute. To be called about once
    /// a second.
    package func report() async throws {
        let now = clock.now()
        let requests = state.withLock { state -> [ClientAddress: Int64] in
            guard !state.requests.isEmpty, state.reportedAt.map({ now >= $0 + Self.interval }) ?? true else { return [:] }
            defer { state = State(reportedAt: now) }
            return state.requests
        }
        guard !requests.isEmpty else { return }
        let proxies = Dictionary(requests.map { ($0.shownNetwork.description, $1) }, uniquingKeysWith: +)
            .map { UntrustedProxy(network: $0, requests: $1, firstAt: now) }
            .sorted { ($1.requests, $0.network) < ($0.requests, $1.network) }
        log(proxies)
        try await storage.write { try $0.add(proxies, keeping: UntrustedProxy.capacity) }
    }

    private func log(_ proxies: [UntrustedProxy]) {
        let shown = proxies.prefix(5)
        logger.warning(
            """
            Forwarded addresses were ignored: they came from proxies that are not in http.trusted_proxies, and all visitors behind one count \
            as one address. If these proxies are yours, add them to http.trusted_proxies and restart.
            """,
            metadata: [
                "requests": "\(proxies.reduce(0) { $0 + $1.requests })",
                "from":
                    "\(shown.map(\.network).joined(separator: ", "))\(proxies.count > 5 ? " and \(proxies.count - 5) more" : "")",
                "add": "\(shown.map(\.setting).joined(separator: ", "))",
            ])
    }

    /// The proxies that this installation's servers have reported since the last one started, most requests first.
    package func findings() async throws -> [Finding] {
        try await storage.read { try $0.untrustedProxies() }.map(\.finding)
    }
}

extension ClientAddress {
    /// What is logged and stored of a sender: its address where that is private, as a proxy's mostly is; else its network, since it may be a
    /// visitor's.
    fileprivate var shownNetwork: Network {
        Self.privateNetworks.contains(self)
            ? network(prefix: bytes.count * 8) : network(prefix: isIPv6 ? 48 : 24)
    }

    /// RFC 1918, 4193, 6598, loopback and link-local.
    private static let privateNetworks = NetworkSet(
        [
            "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "::1", "fc00::/7",
            "fe80::/10",
        ].compactMap(Network.init))
}
