/// A sender of forwarded addresses that the server ignores, because it is not one of the trusted proxies.
package struct UntrustedProxy: Sendable, Equatable {
    /// An address, or a network such as `203.0.113.0/24`.
    package let network: String
    /// Requests since the server started.
    package let requests: Int64
    package let firstAt: Timestamp

    package init(network: String, requests: Int64, firstAt: Timestamp) {
        self.network = network
        self.requests = requests
        self.firstAt = firstAt
    }

    /// How many are kept: those with most requests.
    package static let capacity = 100
}

package protocol UntrustedProxyReader {
    /// Those seen since the server started, most requests first.
    func untrustedProxies() throws -> [UntrustedProxy]
}

package protocol UntrustedProxyRepository: UntrustedProxyReader {
    /// Adds to the requests of the same networks, and keeps the `capacity` networks with most requests.
    func add(_ proxies: [UntrustedProxy], keeping capacity: Int) throws
    /// To be called by a server that starts: its trusted proxies may be others.
    func deleteUntrustedProxies() throws
}

extension UntrustedProxy {
    /// What the doctor says of it.
    package var finding: Finding {
        Finding(
            "server.proxies", .warning,
            "\(network) is not in http.trusted_proxies, so the visitor's address that it sent in X-Forwarded-For or Forwarded was ignored in "
                + "\(requests) \(requests == 1 ? "request" : "requests") since \(firstAt.iso8601). All visitors behind it count as one "
                + "address, so installs are matched wrongly by address, or not at all. If it is your proxy, add \(setting) to "
                + "http.trusted_proxies and restart linden serve. If it is not, nothing is wrong: any client can send these headers."
        )
    }

    /// What to trust: of a network, not all neighbours of the proxy.
    var setting: String { network.contains("/") ? "its own address in \(network)" : "\"\(network)\"" }
}
