/// Percent encoding as browsers and the SDKs write it. Decoding never fails: what is not an escape stays as it is, and bytes that
/// are not UTF-8 become U+FFFD.
public enum PercentCoding {
    /// Decodes `%41` to `A`; in queries also `+` to a space.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        let bytes = text.utf8
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = hexDigit(rest[rest.startIndex]), let low = hexDigit(rest[rest.startIndex + 1])
            {
                decoded.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else if plusIsSpace, byte == UInt8(ascii: "+") {
                decoded.append(0x20)
            } else {
                decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Encodes a value for a query: everything but letters, digits and `-._~`.
    public static func encodeQueryValue(_ text: some StringProtocol) -> String {
        encode(text) { isUnreserved($0) }
    }

    /// Encodes a path, keeping its slashes.
    public static func encodePath(_ text: some StringProtocol) -> String {
        encode(text) { isUnreserved($0) || "/!$&'()*+,;=:@".utf8.contains($0) }
    }

    /// Makes a URL fit for a header or an attribute: bytes that no URL may hold are encoded, escapes stay as they are.
    public static func encodeIllegal(_ url: some StringProtocol) -> String {
        encode(url) { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
    }

    private static func encode(_ text: some StringProtocol, keeping isKept: (UInt8) -> Bool) -> String {
        guard !text.utf8.allSatisfy(isKept) else { return String(text) }
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded.append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
