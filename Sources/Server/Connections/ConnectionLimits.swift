/// Upper bounds of what connections may hold, before any request is decided on.
package struct ConnectionLimits: Sendable {
    /// Open connections in all (`http.max_connections`).
    package var connections: Int
    /// Open connections from one address, or one /64 of IPv6 (`http.max_connections_per_address`). Loopback and trusted proxies, which
    /// stand for many visitors, are exempt.
    package var connectionsPerAddress: Int
    /// Open connections from one /24 of IPv4 or /48 of IPv6, which one provider gives to one customer.
    var connectionsPerSite: Int { 4 * connectionsPerAddress }
    /// Seconds from the first byte of a request to the end of its headers (`http.header_timeout`).
    package var headerTimeout: Int

    /// Bytes of a header, or of the request's target.
    static let headerBytes = 64 << 10
    /// Bytes of all headers and the target together.
    static let headerListBytes = 96 << 10
    static let headerCount = 200
    /// Bytes that unfinished requests may hold on all connections together, beside large bodies.
    static let unfinishedBytes = 32 << 20
    /// Connections that may wait to be accepted; the kernel may allow fewer (`net.core.somaxconn`). A client whose connection finds no room
    /// tries again only after a second; in a longer queue a visitor waits behind all of a flood.
    static let backlog = 256
    /// Connections beyond the limit that are still answered: health checks as usual, everything else with 503.
    static let reserve = 64
    /// Of these, how many one address, or one /64 of IPv6, may hold. Loopback and trusted proxies are exempt.
    static let reservePerAddress = reserve / 4
    /// File descriptors that are kept for files, the listener and outgoing calls.
    package static let reservedDescriptors = 256

    package init(connections: Int = 12_000, connectionsPerAddress: Int = 512, headerTimeout: Int = 10) {
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.headerTimeout = headerTimeout
    }
}
