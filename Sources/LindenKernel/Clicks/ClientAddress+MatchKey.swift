extension ClientAddress {
    /// Maximum bytes of a match key: `ffff:ffff:ffff:ffff::/64`.
    package static let longestMatchKey = 24

    /// Writes the ``matchKey`` as ASCII: `203.0.113.7`, `2001:db8:1:2::/64`; nothing if the address is unknown. Every visit is hashed by it, so
    /// it is written without allocating memory.
    ///
    /// - Parameter text: at least ``longestMatchKey`` bytes.
    /// - Returns: the number of bytes written.
    package func writeMatchKey(to text: UnsafeMutableRawBufferPointer) -> Int {
        switch bytes.count {
        case 0: return 0
        case 4: return writeDottedBytes(to: text)
        default: return writeNetwork(to: text)
        }
    }

    private func writeDottedBytes(to text: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        for byte in bytes {
            if count > 0 { Self.append(UInt8(ascii: "."), to: text, &count) }
            if byte >= 100 { Self.append(Self.digit(byte / 100), to: text, &count) }
            if byte >= 10 { Self.append(Self.digit(byte / 10 % 10), to: text, &count) }
            Self.append(Self.digit(byte % 10), to: text, &count)
        }
        return count
    }

    /// Writes the /64 as four groups of hexadecimal digits without leading zeros.
    private func writeNetwork(to text: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        for index in stride(from: 0, to: 8, by: 2) {
            if count > 0 { Self.append(UInt8(ascii: ":"), to: text, &count) }
            let group = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
            var shift = group >= 0x1000 ? 12 : group >= 0x100 ? 8 : group >= 0x10 ? 4 : 0
            while shift >= 0 {
                Self.append(Self.digit(UInt8(truncatingIfNeeded: group >> UInt16(shift)) & 0xF), to: text, &count)
                shift -= 4
            }
        }
        for byte in "::/64".utf8 { Self.append(byte, to: text, &count) }
        return count
    }

    private static func append(_ byte: UInt8, to text: UnsafeMutableRawBufferPointer, _ count: inout Int) {
        text[count] = byte
        count += 1
    }

    /// Returns the hexadecimal digit of a number below 16.
    private static func digit(_ number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
    }
}
