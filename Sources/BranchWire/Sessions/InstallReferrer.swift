import LinkRouting

/// The install referrer that a store passes to the app (`install_referrer_extras`). Linden's links to Google Play put the click id there,
/// as `link_click_id=<id>`.
///
/// Branch's SDK extracts the id itself and sends it as `link_identifier`. Other readers of the referrer, and servers, send only the text,
/// plain or percent-encoded, possibly more than once.
enum InstallReferrer {
    /// Returns the value of `link_click_id`; nil if there is none.
    static func clickID(_ body: RequestFields) -> String? {
        guard var text = body.text("install_referrer_extras"), text.utf8.count <= longest else { return nil }
        for _ in 0..<mostEncodings {
            let decoded = PercentCoding.decode(text)
            if decoded.utf8.elementsEqual(text.utf8) { break }
            text = decoded
        }
        return value(of: Array("link_click_id".utf8), in: Array(text.utf8))
    }

    /// Returns the value of the first pair with a name. Compares bytes: a pattern would compare letters, of which each may be many.
    private static func value(of name: [UInt8], in text: [UInt8]) -> String? {
        for start in text.indices where text[start] == name[0] {
            guard start == 0 || begins(after: text[start - 1]), text[start...].starts(with: name) else { continue }
            let rest = text[(start + name.count)...]
            // Branch's SDK splits a pair without an equals sign at its hyphen.
            guard rest.first == UInt8(ascii: "=") || rest.first == UInt8(ascii: "-") else { continue }
            let value = rest.dropFirst().prefix { $0 != UInt8(ascii: "&") && $0 != UInt8(ascii: "#") && !isWhiteSpace($0) }
            if !value.isEmpty { return String(decoding: value, as: UTF8.self) }
        }
        return nil
    }

    /// Whether a pair may begin after a byte.
    private static func begins(after byte: UInt8) -> Bool {
        byte == UInt8(ascii: "&") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "=") || isWhiteSpace(byte)
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// In bytes.
    private static let longest = 8192
    private static let mostEncodings = 3
}
