import LinkRouting

extension RandomSource {
    /// Returns a random UUID (RFC 9562, version 4) in lower case.
    package func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return UUIDText.format(high: high, low: low)
    }
}

/// The text form of UUIDs.
package enum UUIDText {
    /// Returns 128 bits as 32 lower-case hexadecimal digits in groups of 8, 4, 4, 4 and 12.
    package static func format(high: UInt64, low: UInt64) -> String {
        let digits = Hex.encode(high) + Hex.encode(low)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { digits.dropFirst($0.lowerBound).prefix($0.count) }
            .joined(separator: "-")
    }
}
