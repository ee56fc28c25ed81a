import LindenKernel
import NIOCore

/// Upper bounds of the resources that connections may hold before their requests are handled.
package struct ConnectionLimits: Sendable {
    /// Open connections in all (`http.max_connections`).
    package var connections: Int
    /// Open connections from one address, or one /64 of IPv6 (`http.max_connections_per_address`). Loopback and trusted proxies, which
    /// stand for many visitors, are exempt.
    package var connectionsPerAddress: Int
    /// The default of ``connections`` where Linden itself speaks TLS: each connection may hold some 100 KB more.
    package static let connectionsWithTLS = 2000
    /// The open connections from one address and from one site, which has at most half of all, or as many as an address.
    var shares: NetworkShares {
        let usual = NetworkShares(address: connectionsPerAddress)
        return NetworkShares(address: usual.address, site: max(usual.address, min(usual.site, connections / 2)))
    }
    /// Seconds from the first byte of a request to the end of its headers (`http.header_timeout`).
    package var headerTimeout: Int

    /// Bytes of one header, or of the request target.
    static let headerBytes = 64 << 10
    /// Bytes of all headers and the request target together.
    static let headerListBytes = 96 << 10
    static let headerCount = 200
    /// Bytes of headers and the request target that are not ASCII. Those that are not UTF-8 either take fifty times as long to decode.
    static let headBytesBeyondASCII = 4 << 10
    /// Bytes of the trailers of a body in chunks, which nothing reads.
    static let trailerBytes = 4 << 10
    /// Bytes of headers, beyond which a request is the last of its connection.
    static let keptHeadBytes = 4 << 10
    /// The headers, beyond which a request is the last of its connection: an idle one keeps some 180 bytes for each of its last request.
    static let keptHeaders = 40
    /// The connections that are given two seconds to receive their last answer while they are sending.
    static let patientlyClosing = 256
    /// Bytes of the header `Connection`, whose list is read several times and compared word by word. Clients send one or two words.
    static let connectionHeaderBytes = 1 << 10
    /// Bytes that unfinished requests may hold on all connections together. Large bodies have a budget of their own.
    static let unfinishedBytes = 32 << 20
    /// Bytes of each body that are not counted, because SDKs send less.
    package static let uncountedBodyBytes = 16 << 10
    /// Bytes of answers that may wait to be sent on all connections together, see ``UnsentBudget``.
    static let unsentBytes = 32 << 20
    /// Length of the accept queue; the kernel may allow less (`net.core.somaxconn`). A client that finds the queue full retries only after
    /// a second, but in a longer one it would wait behind a whole flood.
    package static let backlog = 1024
    /// The time for one more request of an open connection when the server stops. Longer than a request takes to arrive, and short beside
    /// the 30 seconds after which a shutdown is enforced.
    static let shutdownGrace: TimeAmount = .seconds(1)
    /// Connections that are accepted before those that are open have their turn.
    package static let acceptsAtOnce: UInt = 64
    /// Connections beyond the limit that are still answered: health checks as usual, all other requests with 503.
    static let reserve = 64
    /// The part of the reserve that only loopback and trusted proxies get.
    static let reserveOfExempt = 16
    /// The connections in the reserve from one address and from one site. Loopback and trusted proxies are exempt.
    static let reserveShares = NetworkShares(address: reserve / 4, site: reserve / 2)
    /// File descriptors reserved for files, the listener and outgoing connections.
    package static let reservedDescriptors = 320

    package init(connections: Int = 11_000, connectionsPerAddress: Int = 512, headerTimeout: Int = 10) {
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.headerTimeout = headerTimeout
    }
}
