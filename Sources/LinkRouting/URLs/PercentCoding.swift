import Foundation

/// Percent encoding as browsers and the SDKs use it. Decoding never fails: invalid escapes stay as they are, bytes that are not UTF-8
/// become U+FFFD, and runs of combining marks are cut, see ``CombiningMarks``.
public enum PercentCoding {
    /// Decodes `%41` to `A`; in queries also `+` to a space.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        CombiningMarks.cut(decodeWhole(text, plusIsSpace: plusIsSpace))
    }

    /// Decodes a text without cutting any runs of marks.
    static func decodeWhole(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        var text = String(text)
        let decoded: [UInt8]? = text.withUTF8 { written in
            guard written.contains(where: { $0 == UInt8(ascii: "%") || plusIsSpace && $0 == UInt8(ascii: "+") }) else { return nil }
            return Array(unsafeUninitializedCapacity: written.count) { decoded, count in
                var place = 0
                while place < written.count {
                    var byte = written[place]
                    place += 1
                    if byte == UInt8(ascii: "%"), place + 1 < written.count, let high = Hex.value(of: written[place]),
                        let low = Hex.value(of: written[place + 1])
                    {
                        byte = high << 4 | low
                        place += 2
                    } else if plusIsSpace, byte == UInt8(ascii: "+") {
                        byte = 0x20
                    }
                    decoded.initializeElement(at: count, to: byte)
                    count += 1
                }
            }
        }
        return decoded.map(LenientText.decode) ?? text
    }

    /// Whether a part of a query, decoded, has the bytes of a text.
    static func isEncoding(_ written: some Collection<UInt8>, of text: some Sequence<UInt8>) -> Bool {
        var (written, text) = (written[...], text.makeIterator())
        while let byte = written.first {
            var decoded = byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte
            var length = 1
            if byte == UInt8(ascii: "%") {
                let digits = written.dropFirst()
                if let high = digits.first.flatMap({ Hex.value(of: $0) }),
                    let low = digits.dropFirst().first.flatMap({ Hex.value(of: $0) })
                {
                    (decoded, length) = (high << 4 | low, 3)
                }
            }
            guard decoded == text.next() else { return false }
            written = written.dropFirst(length)
        }
        return text.next() == nil
    }

    /// Encodes a value for a query: everything but letters, digits and `-._~`.
    public static func encodeQueryValue(_ text: some StringProtocol) -> String {
        encode(text, keeping: unreserved)
    }

    /// Encodes a path, keeping its slashes.
    public static func encodePath(_ text: some StringProtocol) -> String {
        encode(text, keeping: ofPaths)
    }

    /// Encodes the bytes that a URL must not contain, for use in a header or an attribute; existing escapes stay as they are.
    public static func encodeIllegal(_ url: some StringProtocol) -> String {
        let text = String(url)
        // Most URLs have only legal bytes, and may have 8 KiB: this takes a sixth of the time of looking each up in a set.
        let isLegal = text.areBytes(in: visible) && text.withCString { strcspn($0, illegal) } == text.utf8.count
        return isLegal ? text : encode(text, keeping: legal)
    }

    private static func encode(_ text: some StringProtocol, keeping kept: ByteSet) -> String {
        var text = String(text)
        return text.withUTF8 { bytes in bytes.allSatisfy(kept.contains) ? nil : encode(bytes, keeping: kept) } ?? text
    }

    private static func encode(_ bytes: UnsafeBufferPointer<UInt8>, keeping kept: ByteSet) -> String {
        let digits = Hex.uppercaseDigits
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            if kept.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(digits[Int(byte >> 4)])
                encoded.append(digits[Int(byte & 15)])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let unreserved = ByteSet { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static let ofPaths = ByteSet { unreserved.contains($0) || "/!$&'()*+,;=:@".utf8.contains($0) }

    private static let visible: ClosedRange<UInt8> = 0x21...0x7E
    /// The visible bytes that a URL must not contain.
    private static let illegal = "\"<>\\^`{|}"
    private static let legal = ByteSet { visible.contains($0) && !illegal.utf8.contains($0) }
}

/// A set of ASCII bytes as a bit mask of two words, so that a lookup takes constant time.
private struct ByteSet {
    private var words: (UInt64, UInt64) = (0, 0)

    init(_ isMember: (UInt8) -> Bool) {
        for byte in UInt8(0)..<64 {
            if isMember(byte) { words.0 |= 1 << byte }
            if isMember(byte + 64) { words.1 |= 1 << byte }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? words.0 >> byte & 1 == 1 : byte < 128 && words.1 >> (byte - 64) & 1 == 1
    }
}
