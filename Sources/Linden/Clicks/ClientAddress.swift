import Foundation

/// The network address somebody comes from.
package struct ClientAddress: Sendable, Hashable {
    /// 4 or 16 bytes in network order.
    package let bytes: [UInt8]

    /// Reads an IPv4 or IPv6 address, also in brackets or with a port as proxies write them. An IPv4 address written as IPv6
    /// (`::ffff:192.0.2.1`) is that IPv4 address. Nil for anything else.
    package init?(_ text: some StringProtocol) {
        var text = text.trimmingCharacters(in: .whitespaces)
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            text = String(text[text.index(after: text.startIndex)..<end])
        } else if text.filter({ $0 == ":" }).count == 1, let colon = text.firstIndex(of: ":") {
            text = String(text[..<colon])
        }
        if let zone = text.firstIndex(of: "%") { text = String(text[..<zone]) }
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            let all = withUnsafeBytes(of: v6) { Array($0) }
            let isMapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
            bytes = isMapped ? Array(all[12...]) : all
        } else {
            return nil
        }
    }

    /// What two visits are compared by: an IPv4 address whole, of an IPv6 address the /64 that one household has.
    /// Empty where the address is unknown, which matches nothing.
    package var matchKey: String {
        if bytes.isEmpty { return "" }
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 8, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
        return groups.joined(separator: ":") + "::/64"
    }

    package var isIPv6: Bool { bytes.count == 16 }

    /// Where no address is known, as over a pipe.
    package static let unknown = ClientAddress(bytes: [])

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// A network such as `10.0.0.0/8`, or a single address.
package struct Network: Sendable, Hashable {
    let address: ClientAddress
    /// In bits.
    let prefix: Int

    package init?(_ text: some StringProtocol) {
        let parts = text.trimmingCharacters(in: .whitespaces).split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let address = ClientAddress(first) else { return nil }
        let bits = address.bytes.count * 8
        guard let prefix = parts.count == 2 ? Int(parts[1]) : bits, (0...bits).contains(prefix) else { return nil }
        self.address = address
        self.prefix = prefix
    }

    package func contains(_ other: ClientAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return (0..<prefix).allSatisfy { bit in
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            return address.bytes[bit / 8] & mask == other.bytes[bit / 8] & mask
        }
    }
}
