/// Languages as browsers and SDKs both tell them.
package enum Language {
    /// `de` of `de-AT,de;q=0.9,en;q=0.8`, of `de_AT` and of `DE`; nil for what names no language.
    package static func primary(_ text: String) -> String? {
        var letters: [UInt8] = []
        for byte in text.utf8.drop(while: { $0 == UInt8(ascii: " ") }) {
            guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) else { break }
            guard letters.count < 3 else { return nil }
            letters.append(byte | 0x20)
        }
        return letters.count < 2 ? nil : String(decoding: letters, as: UTF8.self)
    }
}
