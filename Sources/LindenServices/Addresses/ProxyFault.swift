import Linden
import LindenKernel

/// A record of a proxy whose forwarded addresses the server cannot use.
package struct ProxyFault: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The proxy is not a trusted one, so the addresses that it forwards are ignored.
        case untrusted
        /// The proxy is trusted, but forwards a value that is not an address.
        case malformed
    }

    package let kind: Kind
    /// An address, or a network such as `203.0.113.0/24`.
    package let network: String
    /// The number of requests since the server started.
    package let requests: Int64
    package let firstAt: Timestamp

    package init(kind: Kind, network: String, requests: Int64, firstAt: Timestamp) {
        self.kind = kind
        self.network = network
        self.requests = requests
        self.firstAt = firstAt
    }

    /// The maximum number of stored faults. The ones with the most requests are kept.
    package static let capacity = 100
}

package protocol ProxyFaultReader {
    /// Returns the faults since the server started, most requests first.
    func proxyFaults() throws -> [ProxyFault]
}

package protocol ProxyFaultRepository: ProxyFaultReader {
    /// Adds to the request counts of the same networks, and keeps the `capacity` faults with the most requests.
    func add(_ faults: [ProxyFault], keeping capacity: Int) throws
    /// Deletes all faults. Must be called when a server starts: its trusted proxies may have changed.
    func deleteProxyFaults() throws
}

extension ProxyFault {
    /// The doctor's finding about this fault.
    package var finding: Finding {
        switch kind {
        case .untrusted:
            Finding(
                "server.proxies", .warning,
                "\(network) is not in http.trusted_proxies, so the visitor's address that it sent in X-Forwarded-For was ignored in "
                    + "\(times). All visitors behind it count as one address, so installs are matched wrongly by address, or not at all. If "
                    + "it is your proxy, add \(setting) to http.trusted_proxies and restart the server. If it is not, nothing is wrong: any "
                    + "client can send this header.")
        case .malformed:
            Finding(
                "server.proxies", .warning,
                "\(network) is a trusted proxy, and what it forwarded in X-Forwarded-For was no IP address in \(times). The "
                    + "visitor's address is unknown there: installs are not matched by address, and limits per address do not apply. Have "
                    + "the proxy append the IP address of its client.")
        }
    }

    private var times: String { "\(requests) \(requests == 1 ? "request" : "requests") since \(firstAt.iso8601)" }

    /// The value to add to `http.trusted_proxies`. For a network it is the proxy's own address, not the whole network.
    var setting: String { network.contains("/") ? "its own address in \(network)" : "\"\(network)\"" }
}
