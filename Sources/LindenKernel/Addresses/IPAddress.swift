import Foundation

/// An IP address. IPv4 is held in its IPv6-mapped form, so that `127.0.0.1` and `::ffff:127.0.0.1` are equal and a rule for one cannot be
/// bypassed with the other.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    package let bits: UInt128

    init(bits: UInt128) {
        self.bits = bits
    }

    package init(v4 bits: UInt32) {
        self.bits = 0xFFFF << 32 | UInt128(bits)
    }

    /// Parses `192.0.2.1` and `2001:db8::1`; rejects the shortened, octal and hexadecimal spellings of IPv4.
    package init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            self.init(v4)
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            self.init(v6)
        } else {
            return nil
        }
    }

    package init(_ address: in_addr) {
        self.init(v4: UInt32(bigEndian: address.s_addr))
    }

    package init(_ address: in6_addr) {
        self.init(bits: UInt128(bigEndian: withUnsafeBytes(of: address) { $0.loadUnaligned(as: UInt128.self) }))
    }

    /// The address as a 32-bit number; nil if it is not IPv4.
    package var v4: UInt32? {
        bits >> 32 == 0xFFFF ? UInt32(truncatingIfNeeded: bits) : nil
    }

    /// 4 or 16 bytes in network order.
    var bytes: [UInt8] {
        if let v4 { return withUnsafeBytes(of: v4.bigEndian) { Array($0) } }
        return withUnsafeBytes(of: bits.bigEndian) { Array($0) }
    }

    package var description: String {
        if let v4 {
            return [24, 16, 8, 0].map { String(v4 >> $0 & 0xFF) }.joined(separator: ".")
        }
        return withUnsafeBytes(of: bits.bigEndian) { address in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
                String(cString: inet_ntop(AF_INET6, address.baseAddress!, text.baseAddress!, socklen_t(text.count))!)
            }
        }
    }
}
