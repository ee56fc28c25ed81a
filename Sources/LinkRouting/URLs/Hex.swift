/// Hexadecimal digits of bytes.
package enum Hex {
    package static let lowercaseDigits = Array("0123456789abcdef".utf8)
    package static let uppercaseDigits = Array("0123456789ABCDEF".utf8)

    /// Returns two lower-case digits for each byte.
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes {
            digits.append(lowercaseDigits[Int(byte >> 4)])
            digits.append(lowercaseDigits[Int(byte & 15)])
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns the 16 lower-case digits of a number.
    package static func encode(_ number: UInt64) -> String {
        encode(stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) })
    }

    /// Returns the bytes of a text of two digits each, in upper or lower case; nil for any other text.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8 {
            guard let value = value(of: digit) else { return nil }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return high == nil ? bytes : nil
    }

    /// Returns the value of one digit, in upper or lower case; nil for any other byte.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
