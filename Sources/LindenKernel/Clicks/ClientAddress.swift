import Foundation

/// The network address of a client.
package struct ClientAddress: Sendable, Hashable {
    /// 4 or 16 bytes in network order.
    package let bytes: [UInt8]
    /// Parses an IPv4 or IPv6 address, also in brackets or with a port as proxies write them. An IPv4-mapped IPv6 address
    /// (`::ffff:192.0.2.1`) becomes the IPv4 address. Nil for anything else.
    package init?(_ text: some StringProtocol) {
        let whole = String(text)
        if let bytes = Self.quad(whole.utf8) {
            self.init(bytes: bytes)
            return
        }
        var rest = whole.utf8[...]
        while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
        while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
        if rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
            rest = rest[..<end].dropFirst()
        } else if let colon = rest.firstIndex(of: UInt8(ascii: ":")),
            !rest[rest.index(after: colon)...].contains(UInt8(ascii: ":"))
        {
            rest = rest[..<colon]
        }
        if let zone = rest.firstIndex(of: UInt8(ascii: "%")) { rest = rest[..<zone] }
        guard let address = IPAddress(String(Substring(rest))) else { return nil }
        self.init(bytes: address.bytes)
    }

    /// Parses `192.0.2.1` and nothing else. Most addresses are written so, and each request's is read several times.
    private static func quad(_ text: String.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4)
        var number: Int?
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9") where number != 0:
                let next = (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
                guard next <= 255 else { return nil }
                number = next
            case UInt8(ascii: "."):
                guard let part = number, bytes.count < 3 else { return nil }
                bytes.append(UInt8(part))
                number = nil
            default: return nil
            }
        }
        guard let part = number, bytes.count == 3 else { return nil }
        bytes.append(UInt8(part))
        return bytes
    }

    /// The key by which visits are compared: the whole IPv4 address, or the /64 of an IPv6 address, which one household has. Empty if the
    /// address is unknown, which matches nothing.
    package var matchKey: String {
        String(unsafeUninitializedCapacity: Self.longestMatchKey) { writeMatchKey(to: UnsafeMutableRawBufferPointer($0)) }
    }

    /// The key of rate limits: the whole IPv4 address, or the /64 of an IPv6 address, which one subscriber has. The two never collide,
    /// since no routed IPv6 network begins with 32 zero bits. 0 if the address is unknown.
    package var networkNumber: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    /// The key of the wider network that a provider assigns to one customer: a /24 of IPv4, a /48 of IPv6. The two never collide.
    package var siteNumber: UInt64 { ((networkNumber >> (isIPv6 ? 16 : 8)) << 1) | (isIPv6 ? 1 : 0) }

    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.count == 16 && bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    package var isUnknown: Bool { bytes.isEmpty }

    package var isIPv6: Bool { bytes.count == 16 }

    /// The unknown address, as of a client connected over a pipe.
    package static let unknown = ClientAddress(bytes: [])

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension ClientAddress: CustomStringConvertible {
    /// The usual notation: `203.0.113.7`, `2001:db8::1`; empty if the address is unknown.
    package var description: String {
        guard !isUnknown else { return "" }
        return (isIPv6 ? IPAddress(bits: number) : IPAddress(v4: UInt32(number))).description
    }

    /// The bytes as a number.
    var number: UInt128 { bytes.reduce(0) { $0 << 8 | UInt128($1) } }

    /// Returns the network of the address with a prefix of that many bits.
    package func network(prefix: Int) -> Network {
        let masked = bytes.enumerated().map { index, byte in
            byte & ~UInt8(truncatingIfNeeded: 0xFF >> min(8, max(0, prefix - index * 8)))
        }
        return Network(ClientAddress(bytes: masked), prefix: prefix)
    }
}

/// A network such as `10.0.0.0/8`, or a single address.
package struct Network: Sendable, Hashable {
    package let address: ClientAddress
    /// The prefix length in bits.
    package let prefix: Int

    package init?(_ text: some StringProtocol) {
        let parts = text.trimmingCharacters(in: .whitespaces).split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = ClientAddress(first) else { return nil }
        let bits = address.bytes.count * 8
        guard let prefix = parts.count == 2 ? Int(parts[1]) : bits, (0...bits).contains(prefix) else { return nil }
        self.address = address
        self.prefix = prefix
    }

    init(_ address: ClientAddress, prefix: Int) {
        self.address = address
        self.prefix = prefix
    }

    package func contains(_ other: ClientAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let whole = prefix / 8
        guard address.bytes.prefix(whole) == other.bytes.prefix(whole) else { return false }
        let mask = ~(UInt8.max >> UInt8(prefix % 8))
        return mask == 0 || address.bytes[whole] & mask == other.bytes[whole] & mask
    }
}

extension Network: CustomStringConvertible {
    /// `10.0.0.0/8`; a single address without a prefix.
    package var description: String {
        prefix == address.bytes.count * 8 ? "\(address)" : "\(address)/\(prefix)"
    }
}
