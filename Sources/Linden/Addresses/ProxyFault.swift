/// A proxy whose forwarded addresses the server cannot use.
package struct ProxyFault: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// It is not one of the trusted proxies, so what it forwards is ignored.
        case untrusted
        /// It is trusted, and what it forwards is no address.
        case malformed
    }

    package let kind: Kind
    /// An address, or a network such as `203.0.113.0/24`.
    package let network: String
    /// Requests since the server started.
    package let requests: Int64
    package let firstAt: Timestamp

    package init(kind: Kind, network: String, requests: Int64, firstAt: Timestamp) {
        self.kind = kind
        self.network = network
        self.requests = requests
        self.firstAt = firstAt
    }

    /// How many are kept: those with most requests.
    package static let capacity = 100
}

package protocol ProxyFaultReader {
    /// Those seen since the server started, most requests first.
    func proxyFaults() throws -> [ProxyFault]
}

package protocol ProxyFaultRepository: ProxyFaultReader {
    /// Adds to the requests of the same networks, and keeps the `capacity` faults with most requests.
    func add(_ faults: [ProxyFault], keeping capacity: Int) throws
    /// To be called by a server that starts: its trusted proxies may be others.
    func deleteProxyFaults() throws
}

extension ProxyFault {
    /// What the doctor says of it.
    package var finding: Finding {
        switch kind {
        case .untrusted:
            Finding(
                "server.proxies", .warning,
                "\(network) is not in http.trusted_proxies, so the visitor's address that it sent in X-Forwarded-For or Forwarded was ignored in "
                    + "\(times). All visitors behind it count as one address, so installs are matched wrongly by address, or not at all. If "
                    + "it is your proxy, add \(setting) to http.trusted_proxies and restart linden serve. If it is not, nothing is wrong: any "
                    + "client can send these headers.")
        case .malformed:
            Finding(
                "server.proxies", .warning,
                "\(network) is a trusted proxy, and what it forwarded in X-Forwarded-For or Forwarded was no IP address in \(times). The "
                    + "visitor's address is unknown there: installs are not matched by address, and limits per address do not apply. Have "
                    + "the proxy append the IP address of its client.")
        }
    }

    private var times: String { "\(requests) \(requests == 1 ? "request" : "requests") since \(firstAt.iso8601)" }

    /// What to trust: of a network, not all neighbours of the proxy.
    var setting: String { network.contains("/") ? "its own address in \(network)" : "\"\(network)\"" }
}
