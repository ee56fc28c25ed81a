/// Text of bytes that need not be UTF-8. For each byte that is none, Swift's own decoding takes some 50 ns: milliseconds for a header.
package enum LenientText {
    /// Decodes UTF-8. Each maximal part of an invalid sequence becomes U+FFFD, as by `String(decoding:as:)` (Unicode 16, table 3-7).
    package static func decode(_ bytes: [UInt8]) -> String {
        if let valid = String(validating: bytes, as: UTF8.self) { return valid }
        var repaired: [UInt8] = []
        repaired.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            let (length, isValid) = sequence(in: bytes, at: place)
            if isValid { repaired += bytes[place..<(place + length)] } else { repaired += replacement }
            place += length
        }
        return String(decoding: repaired, as: UTF8.self)
    }

    private static let replacement = Array("\u{FFFD}".utf8)

    /// Returns the length of the sequence that begins at a place, or of its part that could be valid.
    private static func sequence(in bytes: [UInt8], at place: Int) -> (length: Int, isValid: Bool) {
        let whole: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[place] {
        case ..<0x80: return (1, true)
        case 0xC2...0xDF: whole = 2
        case 0xE0: (whole, second) = (3, 0xA0...0xBF)
        case 0xED: (whole, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: whole = 3
        case 0xF0: (whole, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: whole = 4
        case 0xF4: (whole, second) = (4, 0x80...0x8F)
        default: return (1, false)
        }
        var length = 1
        while length < whole, place + length < bytes.count,
            (length == 1 ? second : 0x80...0xBF).contains(bytes[place + length])
        { length += 1 }
        return (length, length == whole)
    }
}
