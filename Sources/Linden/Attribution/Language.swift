/// Languages as browsers and SDKs both tell them.
package enum Language {
    /// `de` of `de-AT,de;q=0.9,en;q=0.8`, of `de_AT` and of `DE`; nil for what names no language.
    package static func primary(_ text: some StringProtocol) -> String? {
        let first = text.utf8.drop { $0 == UInt8(ascii: " ") }.prefix {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
        }
        return (2...3).contains(first.count) ? String(decoding: first.map { $0 | 0x20 }, as: UTF8.self) : nil
    }
}
