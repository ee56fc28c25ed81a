import LindenKernel

extension IPAddress {
    /// Whether the address is globally reachable unicast: not private, loopback, link-local or otherwise reserved.
    package var isPublic: Bool {
        if let inner { return inner.isPublic }
        return Self.unicast.contains { $0.contains(self) } && !Self.special.contains { $0.contains(self) }
    }

    /// The embedded IPv4 address to which a router would translate (NAT64) or forward (6to4) packets.
    private var inner: IPAddress? {
        if Self.nat64.contains(self) { return IPAddress(v4: UInt32(truncatingIfNeeded: bits)) }
        if Self.sixToFour.contains(self) { return IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80)) }
        return nil
    }

    private static let nat64: IPNetwork = "64:ff9b::/96"
    private static let sixToFour: IPNetwork = "2002::/16"

    private static let unicast: [IPNetwork] = ["0.0.0.0/0", "2000::/3"]

    /// The IANA special-purpose address registries' entries within ``unicast``, and addresses that serve a cloud's hosts only.
    private static let special: [IPNetwork] = [
        "0.0.0.0/8",  // this host
        "10.0.0.0/8",  // private
        "100.64.0.0/10",  // carrier-grade NAT
        "127.0.0.0/8",  // loopback
        "168.63.129.16/32",  // Azure's WireServer
        "169.254.0.0/16",  // link-local, where clouds keep their metadata
        "172.16.0.0/12",  // private
        "192.0.0.0/24",  // protocol assignments
        "192.0.2.0/24",  // documentation
        "192.88.99.0/24",  // 6to4 relays, no longer in use
        "192.168.0.0/16",  // private
        "198.18.0.0/15",  // benchmarks
        "198.51.100.0/24",  // documentation
        "203.0.113.0/24",  // documentation
        "224.0.0.0/4",  // multicast
        "240.0.0.0/4",  // reserved, and broadcast
        "2001::/23",  // protocol assignments, among them Teredo and ORCHID
        "2001:db8::/32",  // documentation
        "3fff::/20",  // documentation
    ]
}
